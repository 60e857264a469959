"""The resolver to which the modules of this system add their routes."""

from functions.systems.operations.system import SYSTEM
from functions.web import http

app = http.resolver(SYSTEM)
