"""The stack of push: what a stage without it lacks, who may connect, what is logged."""

import json
from collections.abc import Callable
from typing import Any

from functions.catalog import FOLLOW_UPS, OUTLETS, TOPICS, WATCHED
from tests.infra.conftest import TOLD, Deployment


def mapping(deployment: Deployment) -> Any:
    """How the stream's second reader reads."""
    (found,) = deployment.cascade.find_resources("AWS::Lambda::EventSourceMapping").values()
    return found["Properties"]


def filters(deployment: Deployment) -> list[Any]:
    return [json.loads(one["Pattern"])["dynamodb"] for one in mapping(deployment)["FilterCriteria"]["Filters"]]


def left_out(image: dict[str, Any]) -> set[str]:
    (types,) = image["Type"]["S"]
    return set(types["anything-but"])


def test_a_stage_without_push_is_as_if_there_were_none(prod: Deployment, dev: Deployment) -> None:
    for stage in (prod, dev):
        assert stage.push is None
        assert not {name for name in stage.functions() if name.startswith(("push", "socket"))}
        routes = stage.api.find_resources("AWS::ApiGatewayV2::Route").values()
        assert not [one for one in routes if "/push" in one["Properties"]["RouteKey"]]
        assert not stage.cascade.find_resources("AWS::SQS::Queue")
        variables = stage.functions()["cascade"]["Environment"]["Variables"]
        assert variables["PUSH_QUEUE_URL"] == "none"
        assert mapping(stage)["BatchSize"] == 10
        types, *by_name, gone = filters(stage)
        assert left_out(types["NewImage"]) == set(FOLLOW_UPS.undelivered_types)
        assert {name for each in by_name for name in each["NewImage"]} == {"Recounting", "Refilling"}
        assert gone == {"OldImage": {"Type": {"S": ["GRAPH_EDGE", "GRAPH_EDGE_IN"]}}}


def test_with_push_the_reader_is_told_of_news_and_of_what_is_removed(checked: Deployment) -> None:
    *found, _ = (each for each in filters(checked) if "Type" in next(iter(each.values())))
    assert {image for each in found for image in each} == {"NewImage", "OldImage"}
    news = TOPICS.types | WATCHED.types | OUTLETS.types(TOLD)
    for each in found:
        for types in each.values():
            assert left_out(types) == set(FOLLOW_UPS.undelivered_types) - news


def test_only_whoever_the_authorizer_admits_connects(checked: Deployment) -> None:
    assert checked.push
    routes = {
        one["Properties"]["RouteKey"]: one["Properties"]
        for one in checked.push.find_resources("AWS::ApiGatewayV2::Route").values()
    }
    assert routes.keys() == {"$connect", "$disconnect", "$default"}
    assert routes["$connect"]["AuthorizationType"] == "CUSTOM"
    (authorizer,) = checked.push.find_resources("AWS::ApiGatewayV2::Authorizer").values()
    assert authorizer["Properties"]["IdentitySource"] == ["route.request.querystring.ticket"]
    assert authorizer["Properties"].get("AuthorizerResultTtlInSeconds", 0) == 0, "a ticket opens one socket"


def test_no_ticket_is_logged(checked: Deployment) -> None:
    assert checked.push
    (stage,) = checked.push.find_resources("AWS::ApiGatewayV2::Stage").values()
    assert "query" not in stage["Properties"]["AccessLogSettings"]["Format"].lower()
    assert stage["Properties"].get("DefaultRouteSettings", {}).get("DataTraceEnabled", False) is False


def test_functions_send_to_their_own_stage(checked: Deployment, local: Deployment) -> None:
    for name in ("pusher", "socket", "socket_sweeper"):
        endpoint = json.dumps(checked.functions()[name]["Environment"]["Variables"]["SOCKET_ENDPOINT"])
        assert ".execute-api." in endpoint
        assert endpoint.rstrip('"]}').endswith("/live")
        emulated = json.dumps(local.functions()[name]["Environment"]["Variables"]["SOCKET_ENDPOINT"])
        assert "http://localhost:4566/_aws/execute-api/" in emulated


def test_the_dashboard_shows_it_where_it_is(dev: Deployment, deployment: Callable[..., Deployment]) -> None:
    for stage, shown in ((dev, False), (deployment("dev", push=True), True)):
        (dashboard,) = stage.api.find_resources("AWS::CloudWatch::Dashboard").values()
        assert ("PushesSent" in json.dumps(dashboard)) == shown
