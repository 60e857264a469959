"""What `make cost` computes for a stage that nobody uses is what its templates hold."""

from benchmarks import cost
from tests.infra.conftest import Deployment
from tests.infra.test_dashboard import dimensions, rows


def test_alarms_and_metrics_are_those_of_a_stage(dev: Deployment) -> None:
    found = [template.find_resources("AWS::CloudWatch::Alarm").values() for template in dev.templates]
    alarms = [one["Properties"] for of_template in found for one in of_template]
    assert len(alarms) == cost.ALARMS
    own = {
        (metric[1], *sorted(dimensions(metric).values()))
        for row in rows(dev).values()
        for metric in row
        if metric[0] == "Edgewise/dev"
    }
    rung = {
        (one["MetricName"], *(each["Value"] for each in one.get("Dimensions", ())))
        for one in alarms
        if one["Namespace"] == "Edgewise/dev"
    }
    assert len(own | rung) == cost.METRICS
