"""The course as a folder of static files: nothing to install, a plain web server is enough."""
