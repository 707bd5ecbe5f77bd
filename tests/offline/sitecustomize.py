"""Python runs this by itself at the start of every child process of the tests."""

import network_guard

network_guard.cut_off()
