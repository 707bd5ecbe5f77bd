"""The course as a folder of static files: read, watched and labelled in a browser, no kernel.

    python -m react_lab site FOLDER      # then: python -m http.server --directory FOLDER

Nothing in it asks anything of another address, and what models and pages wrote is text only.
To read the code: build, markup, course, asked, runs; live makes the live tab, tab runs in it.
"""
