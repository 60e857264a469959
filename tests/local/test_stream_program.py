"""The parts of the local stream's program, each before a service that answers as the emulator does."""

import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests
from botocore.exceptions import ClientError

import delivery
from delivery import Items, Source, Stream
from delivery.records import TIME_TO_LIVE
from edgewise import aws
from edgewise.stream.again import as_delivered
from functions.systems.proof import codec
from functions.systems.proof.entity import Asked, Fault
from local.stream.deployed import Deployed, Deployments, UnsupportedMappingError, settings
from local.stream.expiry import YEARS, Expiry
from local.stream.lane import Outside
from local.stream.program import HELD_SECONDS, LOOK_SECONDS, Program, World
from local.stream.running import StreamEndedError, StreamPortError, start
from local.stream.server import Server
from local.stream.tail import Tail
from ops import local_cloud
from tests.local.streaming import ARN, WINDOW, Handler, Inline, counting, deployed
from tests.simulator.support import item, numbers

PROPERTIES = {
    "BatchSize": 7,
    "BisectBatchOnFunctionError": True,
    "DestinationConfig": {"OnFailure": {"Destination": {"Fn::ImportValue": "bucket"}}},
    "EventSourceArn": {"Fn::ImportValue": "stream"},
    "FilterCriteria": {"Filters": [{"Pattern": '{"eventName":["INSERT"]}'}]},
    "FunctionName": {"Ref": "function"},
    "FunctionResponseTypes": ["ReportBatchItemFailures"],
    "MaximumBatchingWindowInSeconds": 3,
    "MaximumRecordAgeInSeconds": 82800,
    "MaximumRetryAttempts": 4,
    "ParallelizationFactor": 1,
    "StartingPosition": "TRIM_HORIZON",
    "TumblingWindowInSeconds": 50,
}


def failed(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code, "Message": code}}, "Any")


# What is deployed.


class Services:
    """Lambda and CloudFormation in one: two stacks, of which the second has the mapping."""

    def __init__(self) -> None:
        self.mapped: dict[str, Any] = {
            "UUID": "uuid",
            "EventSourceArn": ARN,
            "FunctionArn": "arn:function",
            "State": "Enabled",
            "LastModified": 1,
            "DestinationConfig": {"OnFailure": {"Destination": "arn:aws:s3:::lost"}},
        }
        self.of_queue = {**self.mapped, "UUID": "other", "EventSourceArn": "arn:aws:sqs:us-east-1:1:queue"}
        self.properties: Mapping[str, Any] = PROPERTIES
        self.templates_read = 0
        self.is_there = True
        self.told: list[str] = []

    def get_paginator(self, operation: str) -> Any:
        return self

    def paginate(self) -> Iterator[Any]:
        stacks = [{"StackName": name} for name in ("table", "reader")]
        yield {"EventSourceMappings": [self.mapped, self.of_queue], "Stacks": stacks}

    def describe_stack_resources(self, StackName: str) -> Any:
        kind = "AWS::Lambda::EventSourceMapping"
        found = {"PhysicalResourceId": "uuid", "LogicalResourceId": "Stream", "ResourceType": kind}
        return {"StackResources": [found] if StackName == "reader" and self.is_there else []}

    def get_template(self, StackName: str) -> Any:
        self.templates_read += 1
        return {"TemplateBody": {"Resources": {"Stream": {"Properties": self.properties}}}}


def test_a_mapping_has_the_settings_of_its_template() -> None:
    assert settings(PROPERTIES, "arn:aws:s3:::lost") == delivery.Mapping(
        batch_size=7,
        batching_window=3,
        tumbling_window=50,
        parallelization_factor=1,
        report_batch_item_failures=True,
        bisect_batch_on_function_error=True,
        maximum_retry_attempts=4,
        maximum_record_age=82800,
        on_failure="s3",
        filters=({"eventName": ["INSERT"]},),
    )
    assert settings({"StartingPosition": "TRIM_HORIZON"}, None) == delivery.Mapping()
    assert settings({"StartingPosition": "TRIM_HORIZON"}, "arn:aws:sns:us-east-1:1:topic").on_failure == "sqs"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [({"StartingPosition": "LATEST"}, UnsupportedMappingError), ({"TumblingWindowInSeconds": 901}, ValueError)],
)
def test_a_mapping_that_would_be_delivered_otherwise_is_refused(wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        settings(PROPERTIES | wrong, None)


def test_a_template_is_read_when_its_mapping_is_new_or_has_changed() -> None:
    services = Services()
    deployments = Deployments(services, services, services.told.append)
    (first,) = deployments.found()
    assert first == Deployed(
        "uuid", "arn:function", ARN, settings(PROPERTIES, "arn:aws:s3:::lost"), "arn:aws:s3:::lost", enabled=True
    )
    services.mapped["State"] = "Disabled"
    (halted,) = deployments.found()
    assert (halted.enabled, services.templates_read) == (False, 1)
    services.properties = {**PROPERTIES, "BatchSize": 8}
    services.mapped["LastModified"] = 2
    (changed,) = deployments.found()
    assert (changed.settings.batch_size, services.templates_read) == (8, 2)


def test_a_mapping_that_is_refused_is_told_of_once_and_stops_no_other() -> None:
    services = Services()
    services.properties = {**PROPERTIES, "StartingPosition": "LATEST"}
    deployments = Deployments(services, services, services.told.append)
    assert [deployments.found(), deployments.found()] == [[], []]
    assert services.told == [
        "the mapping uuid delivers nothing: StartingPosition=LATEST: expected TRIM_HORIZON",
    ]


def test_a_mapping_whose_stack_is_not_there_yet_is_waited_for() -> None:
    services = Services()
    services.is_there = False
    deployments = Deployments(services, services, services.told.append)
    assert deployments.found() == []
    services.is_there = True
    assert [each.uuid for each in deployments.found()] == ["uuid"]


# The emulator's stream.


class OneLane:
    """DynamoDB Streams as the emulator has it: one shard, numbers filled up with zeros, iterators that get too old."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.page = 2
        self.errors: list[str] = []

    def write(self, *sorts: int) -> None:
        for number in sorts:
            self.put(item("p", number), number)

    def put(self, image: dict[str, Any], number: int) -> None:
        keys = {name: image[name] for name in ("PK", "SK")}
        change = {"Keys": keys, "NewImage": image, "ApproximateCreationDateTime": 1_535_544_000}
        told = {"SequenceNumber": f"{number + 1:030}", "StreamViewType": "NEW_AND_OLD_IMAGES", "SizeBytes": 0}
        self.records.append({"eventID": f"{number}", "eventName": "INSERT", "dynamodb": {**change, **told}})

    def describe_stream(self, StreamArn: str) -> Any:
        keys = [{"AttributeName": "SK", "KeyType": "RANGE"}, {"AttributeName": "PK", "KeyType": "HASH"}]
        shards = [{"ShardId": "only"}]
        return {"StreamDescription": {"KeySchema": keys, "StreamViewType": "NEW_AND_OLD_IMAGES", "Shards": shards}}

    def get_shard_iterator(self, StreamArn: str, ShardId: str, ShardIteratorType: str, SequenceNumber: str = "") -> Any:
        numbers = [each["dynamodb"]["SequenceNumber"] for each in self.records]
        return {"ShardIterator": str(numbers.index(SequenceNumber) + 1 if SequenceNumber else 0)}

    def get_records(self, ShardIterator: str) -> Any:
        if self.errors:
            raise failed(self.errors.pop())
        start = int(ShardIterator)
        page = self.records[start : start + self.page]
        return {"Records": page, "NextShardIterator": str(start + len(page))}


def test_each_record_is_read_once_also_behind_an_iterator_that_is_too_old() -> None:
    lane = OneLane()
    tail, found = Tail(lane, ARN), list[int]()
    lane.write(0, 1, 2)
    found += numbers({"Records": list(tail.news())})
    lane.write(3)
    lane.errors = ["ExpiredIteratorException"]
    for _ in range(2):
        found += numbers({"Records": list(tail.news())})
    assert found == [0, 1, 2, 3]


def test_a_record_has_the_form_in_which_lambda_passes_it() -> None:
    lane = OneLane()
    lane.write(4)
    (form,) = Tail(lane, ARN).news()
    assert form["dynamodb"]["SequenceNumber"] == "5"
    assert form["dynamodb"]["ApproximateCreationDateTime"] == 1_535_544_000.0
    assert form["eventSourceARN"] == ARN
    assert Tail(lane, ARN).source() == Source(["PK", "SK"], "NEW_AND_OLD_IMAGES", ARN)


def test_a_stream_that_is_gone_has_no_more_records_and_other_failures_are_told() -> None:
    lane = OneLane()
    tail = Tail(lane, ARN)
    lane.errors = ["InternalServerError"]
    with pytest.raises(ClientError):
        list(tail.news())
    lane.errors = ["ResourceNotFoundException"]
    assert list(tail.news()) == []
    lane.write(1)
    assert list(tail.news()) == []


# Times to live.


class Table:
    """Deletes what has not changed, and records what it did."""

    def __init__(self) -> None:
        self.stream = Stream()
        self.items = Items(self.stream)

    def delete_item(self, TableName: str, Key: Any, ExpressionAttributeValues: Any, **_: Any) -> None:
        for each in self.items.all():
            if {"PK": each["PK"], "SK": each["SK"]} == Key and each["Ends"] == ExpressionAttributeValues[":ends"]:
                self.items.delete(Key)
                return
        raise failed("ConditionalCheckFailedException")

    def forms(self, after: int = 0) -> list[Any]:
        return [record.form for record in self.stream.shards[0].records[after:]]


def ends(at: int, **more: Any) -> dict[str, Any]:
    return {**item("p"), "Ends": {"N": str(at)}, **more}


@pytest.fixture
def table() -> Table:
    return Table()


def test_what_has_expired_is_removed_by_the_service(table: Table) -> None:
    expiry = Expiry(table, "T", "Ends")
    table.items.put(ends(100))
    assert [expiry.noted(each) for each in table.forms()] == table.forms()
    expiry.expire(99)
    assert len(table.items.all()) == 1
    expiry.expire(100)
    (removal,) = table.forms(1)
    assert expiry.noted(removal) == {**removal, "userIdentity": TIME_TO_LIVE}


def test_what_somebody_removes_is_no_expiry(table: Table) -> None:
    expiry = Expiry(table, "T", "Ends")
    table.items.put(ends(100))
    table.items.delete(item("p"))
    assert [expiry.noted(each) for each in table.forms()] == table.forms()
    expiry.expire(200)
    table.items.put(ends(100))
    table.items.delete(item("p"))
    assert [expiry.noted(each) for each in table.forms(2)] == table.forms(2)


def test_what_was_given_more_time_stays_though_that_has_not_been_read_yet(table: Table) -> None:
    expiry = Expiry(table, "T", "Ends")
    table.items.put(ends(100))
    for each in table.forms():
        expiry.noted(each)
    table.items.put(ends(300))
    expiry.expire(200)
    assert table.items.all() == [ends(300)]
    for each in table.forms(1):
        expiry.noted(each)
    expiry.expire(300)
    assert table.items.all() == []


@pytest.mark.parametrize("at", [{"S": "1"}, {"N": "1.5"}, {"N": "1"}])
def test_what_is_no_time_or_one_of_years_ago_stays(table: Table, at: dict[str, str]) -> None:
    expiry = Expiry(table, "T", "Ends")
    table.items.put({**item("p"), "Ends": at})
    for each in table.forms():
        expiry.noted(each)
    expiry.expire(2 + YEARS)
    assert len(table.items.all()) == 1


# All together.


class Transactions(Table):
    """Takes all transactions, whose writes it keeps."""

    exceptions = SimpleNamespace(TransactionCanceledException=ClientError)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Any] = []

    def transact_write_items(self, TransactItems: Any, **_: Any) -> Any:
        self.asked.append([each["Put"] for each in TransactItems])
        return {}


class Cloud:
    """A cloud with one table, whose stream one function reads, and which takes documents."""

    def __init__(self, calls: Executor | None = None) -> None:
        self.now = 1_535_544_000.0
        self.lane, self.dynamodb = OneLane(), Transactions()
        self.mapped = [deployed(delivery.Mapping())]
        self.handler = Handler(counting)
        outside = Outside(self.invoke, calls or Inline(), lambda *_: None, print)
        world = World(lambda: self.mapped, lambda arn: Tail(self.lane, arn), self.dynamodb, outside)
        self.program = Program(world, threading.Event(), lambda: self.now)

    def invoke(self, _: str, event: str) -> Any:
        return self.handler(json.loads(event))

    def steps(self) -> list[list[int]]:
        """What was delivered by two steps, some time later."""
        before = len(self.events)
        self.now += LOOK_SECONDS
        for _ in range(2):
            self.program.step()
        return [numbers(event) for event in self.events[before:]]

    @property
    def events(self) -> list[Any]:
        return [event for events in self.handler.events.values() for event in events]


def test_a_stream_is_delivered_from_its_first_record_on_once_a_mapping_is_there() -> None:
    cloud = Cloud()
    (mapped,), cloud.mapped = cloud.mapped, []
    cloud.lane.write(0, 1)
    assert cloud.steps() == []
    cloud.mapped = [mapped]
    assert sorted(number for batch in cloud.steps() for number in batch) == [0, 1]


def test_a_mapping_that_is_halted_goes_on_where_it_was() -> None:
    cloud = Cloud()
    cloud.lane.write(0)
    assert cloud.steps() == [[0]]
    cloud.mapped = [replace(cloud.mapped[0], enabled=False)]
    cloud.lane.write(1)
    assert cloud.steps() == []
    cloud.mapped = [deployed(delivery.Mapping(filters=[{"eventID": ["1", "3"]}]))]
    assert cloud.steps() == [[1]]
    cloud.lane.write(2, 3)
    assert cloud.steps() == [[3]]


def test_who_asks_how_far_it_is_finds_a_mapping_stopped_that_was_stopped_before() -> None:
    cloud = Cloud()
    assert cloud.steps() == []
    cloud.mapped = [replace(cloud.mapped[0], enabled=False)]
    with Server(("localhost", 0), cloud.program, "") as server:
        server.progress(None)
    cloud.lane.write(0)
    cloud.program.step()  # before it would look again by itself
    assert not cloud.events


class Held(Executor):
    """Runs calls when it is told to."""

    def __init__(self) -> None:
        self._calls: list[Callable[[], None]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> "Future[Any]":
        call: Future[Any] = Future()
        self._calls.append(lambda: call.set_result(fn(*args)))
        return call

    def run(self) -> None:
        calls, self._calls = self._calls, []
        for each in calls:
            each()


def test_records_stay_with_the_emulator_while_a_reader_is_behind_so_that_they_meet_in_a_window() -> None:
    held = Held()
    cloud = Cloud(held)
    cloud.mapped = [deployed(delivery.Mapping(batch_size=100, tumbling_window=2))]
    for number in range(10):
        cloud.lane.write(number)
        cloud.steps()
    for _ in range(10):
        held.run()
        cloud.steps()
    windows = [(number, event["window"]["start"]) for event in cloud.events for number in numbers(event)]
    assert sorted(number for number, _ in windows) == [*range(10)]
    assert len({start for number, start in windows if number >= 5}) == 1  # by their own times, there would be three


def test_records_are_not_held_for_ever_behind_a_reader_that_gets_nowhere() -> None:
    cloud = Cloud(Held())
    cloud.mapped = [deployed(delivery.Mapping(tumbling_window=2))]
    cloud.lane.write(0)
    cloud.steps()
    cloud.now += 5
    cloud.lane.write(1)
    taken = []
    for _ in range(int(HELD_SECONDS / LOOK_SECONDS)):
        cloud.steps()
        taken.append(cloud.program.courses[ARN].left)
    assert (taken[0], taken[-1]) == (1, 2)


def test_what_somebody_asks_to_go_wrong_goes_wrong_and_is_written_down() -> None:
    cloud = Cloud()
    cloud.mapped = [deployed(WINDOW)]
    asked = Asked(3, None, (Fault("f", "repeat", int(cloud.now * 1000)),))
    cloud.lane.put(codec.asked_item(asked), 0)
    cloud.lane.write(1)
    assert (cloud.steps(), cloud.steps(), cloud.steps()) == ([[1], [1]], [], [])
    ((rest, log),) = cloud.dynamodb.asked
    assert (rest["TableName"], codec.asked(rest["Item"])) == (ARN.split("/")[1], Asked(5))
    assert rest["ExpressionAttributeValues"] == {":c0": {"N": "4"}}
    assert (codec.done(log["Item"]).fault, codec.done(log["Item"]).what) == (
        asked.faults[0],
        "batch of 1 again, all of it",
    )


@pytest.mark.usefixtures("aws_env")
def test_functions_read_the_shards_as_they_were_delivered() -> None:
    """By botocore, from bytes and an expiry on."""
    cloud, source = Cloud(), Stream()
    items = Items(source)
    items.put(item("p", 1, Data={"B": b"\0\xff"}, Set={"BS": [b"a", b"b"]}))
    items.expire(item("p", 1))
    cloud.lane.records = [record.form for record in source.shards[0].records]
    assert cloud.steps() == [[1, 1]]
    course = cloud.program.courses[ARN]
    shard = course.stream.shard_of(item("p", 1))
    course.stream.split(shard)

    with served(cloud.program) as url:
        streams = aws.client("dynamodbstreams", endpoint=url)
        told = streams.describe_stream(StreamArn=ARN)["StreamDescription"]["Shards"]
        assert [each.get("ParentShardId") for each in told] == [each.parent for each in course.stream.shards]
        closed = ["EndingSequenceNumber" in each["SequenceNumberRange"] for each in told]
        assert closed == [each.closed for each in course.stream.shards]
        first = {"StreamArn": ARN, "ShardId": shard.id, "ShardIteratorType": "TRIM_HORIZON"}
        page = streams.get_records(ShardIterator=streams.get_shard_iterator(**first)["ShardIterator"])
        assert "NextShardIterator" not in page
        read = [{**as_delivered(each), "eventSourceARN": ARN} for each in page["Records"]]
        assert read == [{"userIdentity": None, **record.form} for record in shard.records]
        behind = {**first, "ShardIteratorType": "AFTER_SEQUENCE_NUMBER"}
        place = streams.get_shard_iterator(**behind, SequenceNumber=f"{shard.records[0].sequence:030}")
        assert len(streams.get_records(ShardIterator=place["ShardIterator"])["Records"]) == 1
        with pytest.raises(streams.exceptions.ResourceNotFoundException):
            streams.get_shard_iterator(**{**first, "ShardId": "shardId-00000000000000000000-none"})
        with pytest.raises(ClientError, match="ValidationException"):
            streams.get_records(ShardIterator="none")
        assert requests.get(f"{url}/?upto=all", timeout=60).status_code == 400
        upto = shard.records[-1].sequence
        told = requests.get(f"{url}/?upto={upto}", timeout=60).json()
        assert told == {"news": str(upto), "done": True, "left": 0}


@contextmanager
def served(program: Program) -> Iterator[str]:
    """Where functions find the streams of a program."""
    server = Server(("127.0.0.1", 0), program, "http://nowhere")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_program_that_has_ended_does_not_begin_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It would call the shards by other names, and the consumer would count all that it has counted once more."""
    monkeypatch.setattr("ops.local_cloud.LOCAL", tmp_path)
    cloud = local_cloud.Cloud(4566)
    cloud.home.mkdir()
    (cloud.home / "stream.pid").write_text(str(2**22))
    with pytest.raises(StreamEndedError, match="make stop"):
        start(cloud)


def test_a_port_that_another_program_uses_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ops.local_cloud.LOCAL", tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StreamPortError, match=f"port {port} "):
            start(local_cloud.Cloud(port - local_cloud.STREAMS))
