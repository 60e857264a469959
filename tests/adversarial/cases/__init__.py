"""Every route that writes."""

from tests.adversarial.cases.billing import BILLING
from tests.adversarial.cases.case import Case
from tests.adversarial.cases.documents import DOCUMENTS
from tests.adversarial.cases.graph import GRAPH
from tests.adversarial.cases.ingestion import INGESTION
from tests.adversarial.cases.records import RECORDS
from tests.adversarial.texts import Texts

CASES: dict[str, Case] = {
    case.request(Texts()).route: case for case in (*INGESTION, *BILLING, *GRAPH, *RECORDS, *DOCUMENTS)
}
