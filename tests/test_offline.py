"""The guard that keeps `make test` off the network is on, here and in children."""

import socket
import subprocess
import sys

import pytest

OUTSIDE = ("192.0.2.1", 80)  # TEST-NET: nobody lives there


def test_no_connection_leaves_this_machine_nor_a_child_process_but_loopback_is_free():
    with pytest.raises(OSError, match="offline"):
        socket.create_connection(OUTSIDE, timeout=1)
    with pytest.raises(OSError, match="offline"):
        socket.getaddrinfo("example.org", 80)
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=1).close()
    code = f"import socket; socket.create_connection({OUTSIDE!r}, timeout=1)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "the tests run offline" in child.stderr
