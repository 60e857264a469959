"""Where alarms are told, as a stage's file writes it: an address of mail, an https endpoint, or a channel of Slack.

An endpoint with a key in it, as pagers have them, is a secret: the file then names a secret of AWS Secrets Manager.
"""

from typing import Annotated, Final

from pydantic import Field

SECRET: Final = "secret:"
SLACK: Final = "slack:"
HTTPS: Final = "https:"
_FORMS: Final = (
    "[^@ :/]+@[^@ :/]+",
    f"{HTTPS}//[a-z0-9.-]+(/[^ ?#]*)?",
    f"{SECRET}[A-Za-z0-9/_+=.@-]+",
    f"{SLACK}T[A-Z0-9]+/C[A-Z0-9]+",
)
Target = Annotated[str, Field(pattern=f"^({'|'.join(_FORMS)})$")]
