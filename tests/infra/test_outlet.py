"""The stack of the outlet: what a stage without it lacks, who puts events on the bus, how long they wait."""

import json
from collections.abc import Callable

from functions.catalog import FOLLOW_UPS, OUTLETS
from tests.infra.conftest import TOLD, Deployment
from tests.infra.test_push import filters, left_out, mapping

DAY = 86_400


def test_a_stage_without_an_outlet_is_as_if_there_were_none(prod: Deployment, dev: Deployment) -> None:
    for stage in (prod, dev):
        assert stage.outlet is None
        assert "outlet" not in stage.functions()
        assert not stage.resources("AWS::Events::EventBus")
        variables = stage.functions()["cascade"]["Environment"]["Variables"]
        assert (variables["OUTLET_QUEUE_URL"], variables["OUTLET"]) == ("none", "none")


def test_with_an_outlet_alone_the_reader_is_told_of_what_it_names(deployment: Callable[..., Deployment]) -> None:
    """Also of what is removed."""
    stage = deployment("dev", outlet=TOLD)
    found = [each for each in filters(stage) if "anything-but" in json.dumps(each)]
    assert {image for each in found for image in each} == {"NewImage", "OldImage"}
    types = OUTLETS.types(TOLD)
    assert types == {"ORDER", "INVOICE_METADATA"}
    for each in found:
        for image in each.values():
            assert left_out(image) == set(FOLLOW_UPS.undelivered_types) - types
    assert mapping(stage)["BatchSize"] == 100
    assert stage.functions()["cascade"]["Environment"]["Variables"]["OUTLET"] == "order,invoice"


def test_events_wait_for_two_weeks_and_are_set_aside_when_they_fail_for_an_hour(checked: Deployment) -> None:
    found = checked.cascade.find_resources("AWS::SQS::Queue")
    queue, dead = (
        next(one["Properties"] for key, one in found.items() if key.startswith(part))
        for part in ("eventsqueue", "eventsdead")
    )
    assert queue["MessageRetentionPeriod"] == dead["MessageRetentionPeriod"] == 14 * DAY
    assert queue["RedrivePolicy"]["maxReceiveCount"] * queue["VisibilityTimeout"] == 3600
    assert checked.outlet
    (reads,) = checked.outlet.find_resources("AWS::Lambda::EventSourceMapping").values()
    assert reads["Properties"]["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert reads["Properties"]["BatchSize"] == 10


def test_the_bus_is_the_stages_own_and_its_name_is_told(checked: Deployment) -> None:
    assert checked.outlet
    (bus,) = checked.outlet.find_resources("AWS::Events::EventBus").values()
    assert bus["Properties"]["Name"] == "edgewise-prod"
    outputs = checked.outlet.to_json()["Outputs"]
    assert {"EventBusName", "EventsSetAsideArn"} <= outputs.keys()


def test_its_dead_letters_are_on_the_dashboard(checked: Deployment, prod: Deployment) -> None:
    for stage, shown in ((checked, True), (prod, False)):
        (dashboard,) = stage.api.find_resources("AWS::CloudWatch::Dashboard").values()
        assert ("eventsdead" in json.dumps(dashboard)) == shown
