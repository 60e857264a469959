"""The model of CloudFormation refuses what CloudFormation refuses, each rule on templates of a few lines."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.support.cloudformation.account import Account

pytestmark = pytest.mark.usefixtures("check_packages")
HERE, ELSEWHERE = "us-east-1", "eu-west-1"
Resources = Mapping[str, Any]


def template(resources: Resources, **exports: Any) -> dict[str, Any]:
    outputs = {name: {"Value": value, "Export": {"Name": name}} for name, value in exports.items()}
    return {"Resources": resources, "Outputs": outputs}


def one(kind: str, **properties: Any) -> dict[str, Any]:
    return {"Type": f"AWS::{kind}", "Properties": properties}


def ref(name: str) -> dict[str, str]:
    return {"Ref": name}


def changed(before: Resources, after: Resources, **exports: Any) -> list[str]:
    """What is refused of an update of the only stack."""
    account = Account()
    assert account.update(HERE, "one", template(before, **exports)) == []
    return account.update(HERE, "one", template(after, **exports))


QUEUE = one("SQS::Queue")
CODE = {"S3Bucket": "assets", "S3Key": "1"}


def test_a_logical_id_keeps_its_type() -> None:
    assert changed({"index": one("S3::Bucket")}, {"index": one("OpenSearchService::Domain")}) == [
        "one: index is of type AWS::S3::Bucket, and can't become one of AWS::OpenSearchService::Domain"
    ]


@pytest.mark.parametrize(
    ("after", "refused"),
    [
        (template({"queue": QUEUE}, told=ref("queue")), ""),
        (template({"queue": one("SQS::Queue", DelaySeconds=9)}, told=ref("queue")), ""),
        (template({"queue": QUEUE}), "removed"),
        (template({"queue": QUEUE, "other": QUEUE}, told=ref("other")), "changed"),
        # A queue that is replaced has another address.
        (template({"queue": one("SQS::Queue", FifoQueue=True)}, told=ref("queue")), "changed"),
    ],
)
def test_what_others_import_stays_as_it_is(after: dict[str, Any], refused: str) -> None:
    account = Account()
    sender = one("Lambda::Function", Environment={"Variables": {"URL": {"Fn::ImportValue": "told"}}})
    assert account.update(HERE, "importer", template({"sender": sender})) == ["importer: nobody exports told"]
    assert account.update(HERE, "exporter", template({"queue": QUEUE}, told=ref("queue"))) == []
    assert account.update(HERE, "importer", template({"sender": sender})) == []
    expected = [f"exporter: export told is in use, and can't be {refused}"] if refused else []
    assert account.update(HERE, "exporter", after) == expected
    assert account.delete(HERE, "exporter") == ["exporter: export told is in use"]
    assert account.delete(HERE, "importer") == account.delete(HERE, "exporter") == []


def test_a_replacement_replaces_what_can_not_do_without_it() -> None:
    """So an export changes that tells of neither."""
    account = Account()
    exported = {"told": ref("last")}

    def chain(fifo: bool) -> Resources:
        version = one("Lambda::Version", FunctionName=ref("function"))
        function = one("Lambda::Function", FunctionName="f" if fifo else "g", Code=CODE)
        return {"function": function, "last": version}

    assert account.update(HERE, "exporter", template(chain(False), **exported)) == []
    imported = one("Lambda::Alias", FunctionName="f", Name="live", FunctionVersion={"Fn::ImportValue": "told"})
    assert account.update(HERE, "importer", template({"alias": imported})) == []
    (refused,) = account.update(HERE, "exporter", template(chain(True), **exported))
    assert refused == "exporter: export told is in use, and can't be changed"


def test_a_name_that_is_spelled_out_is_that_of_one() -> None:
    """Also of what is replaced: the next one comes before the former goes."""
    alarm = one("CloudWatch::Alarm", AlarmName="behind", Threshold=1)
    (refused,) = changed({"alarm": alarm}, {"renamed": alarm})
    assert refused.startswith("one: renamed is to be made, and there is one already: AWS::CloudWatch::Alarm")
    assert changed({"alarm": alarm}, {"alarm": {**alarm, "Properties": {"AlarmName": "behind", "Threshold": 2}}}) == []
    queue = one("SQS::Queue", QueueName="hints")
    assert changed({"queue": queue}, {"queue": one("SQS::Queue", QueueName="hints", FifoQueue=True)})
    assert changed({"queue": QUEUE}, {"queue": one("SQS::Queue", FifoQueue=True)}) == []


def test_a_source_is_read_by_one_mapping_of_a_function() -> None:
    def mapped(key: str, source: str) -> Resources:
        found = one("Lambda::EventSourceMapping", FunctionName=ref("reader"), EventSourceArn=source)
        return {"reader": one("Lambda::Function", Code=CODE), key: found}

    assert changed(mapped("stream", "arn:one"), mapped("stream", "arn:two")) == []
    assert changed(mapped("stream", "arn:one"), mapped("renamed", "arn:two")) == []
    assert changed(mapped("stream", "arn:one"), mapped("renamed", "arn:one"))


def test_what_its_stack_leaves_behind_keeps_its_name() -> None:
    """And names of the account are those of all regions."""
    account = Account()
    kept = one("Logs::LogGroup", LogGroupName="/access") | {"DeletionPolicy": "Retain"}
    role = one("IAM::Role", RoleName="logs")
    assert account.update(HERE, "one", template({"logs": kept, "role": role})) == []
    assert account.update(ELSEWHERE, "one", template({"logs": kept})) == []
    assert account.update(ELSEWHERE, "two", template({"role": role}))
    assert account.delete(HERE, "one") == []
    assert account.update(ELSEWHERE, "two", template({"role": role})) == []
    assert account.update(HERE, "one", template({"logs": kept}))


def table(*indexes: str, attributes: tuple[str, ...] = ()) -> Resources:
    projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": attributes}
    told = [{"IndexName": name, "KeySchema": [name], "Projection": projection} for name in indexes]
    return {"table": one("DynamoDB::GlobalTable", KeySchema=["PK"], GlobalSecondaryIndexes=told)}


@pytest.mark.parametrize(
    ("after", "changes"),
    [
        (table("A"), 0),
        (table("A", "B"), 0),
        (table(), 0),
        (table("A", "B", "C"), 2),
        (table("B"), 2),
        (table("A", attributes=("More",)), 2),
    ],
)
def test_a_table_gets_or_loses_one_index_at_once(after: Resources, changes: int) -> None:
    refused = f"one: table: {changes} indexes are made or deleted, and an update can do one"
    assert changed(table("A"), after) == [refused] * bool(changes)


def test_a_custom_resource_keeps_its_provider() -> None:
    def stack(name: str) -> Resources:
        provider = {"Fn::GetAtt": ["provider", "Arn"]}
        custom = {"Type": "Custom::Deployment", "Properties": {"ServiceToken": provider, "Source": name}}
        return {"provider": one("Lambda::Function", FunctionName=name), "deployment": custom}

    assert changed(stack("a"), stack("b")) == ["one: deployment: modifying its service token is not allowed"]


def released(version: str, key: str, **others: Any) -> Resources:
    group = {"Alarms": [{"Name": ref("failing")}], "Enabled": True}
    moves = {"CodeDeployLambdaAliasUpdate": {"DeploymentGroupName": ref("group")}}
    function = one("Lambda::Function", Code={**CODE, "S3Key": key})
    function["Properties"] |= others
    alias = one(
        "Lambda::Alias", Name="live", FunctionName=ref("f"), FunctionVersion={"Fn::GetAtt": [version, "Version"]}
    )
    return {
        "f": function,
        version: one("Lambda::Version", FunctionName=ref("f")),
        "alias": alias | {"UpdatePolicy": moves},
        "group": one("CodeDeploy::DeploymentGroup", AlarmConfiguration=group),
        "failing": one("CloudWatch::Alarm", AlarmName="failing"),
    }


def test_a_version_is_published_of_what_has_changed() -> None:
    assert changed(released("v1", "1"), released("v2", "2")) == []
    refused = ["one: v2: a version of this function exists, which has not changed"]
    assert changed(released("v1", "1"), released("v2", "1")) == refused
    assert changed(released("v1", "1"), released("v2", "1", ReservedConcurrentExecutions=9)) == refused


def test_nothing_moves_while_its_alarm_rings() -> None:
    account = Account()
    assert account.update(HERE, "one", template(released("v1", "1"))) == []
    account.ringing = {"failing"}
    assert account.update(HERE, "one", template(released("v1", "1"))) == [], "nothing is to move"
    refused = account.update(HERE, "one", template(released("v2", "2")))
    assert refused == ["one: alias: CodeDeploy stops while failing rings"]
    at_once = released("v2", "2")
    at_once["group"]["Properties"]["AlarmConfiguration"]["Enabled"] = False
    assert account.update(HERE, "one", template(at_once)) == []


def test_a_composite_alarm_names_what_is_there() -> None:
    both = {
        "late": one("CloudWatch::CompositeAlarm", AlarmName="late", AlarmRule='ALARM("behind")'),
        "behind": one("CloudWatch::Alarm", AlarmName="behind"),
    }
    assert changed({}, both) == []
    assert changed({}, {"late": both["late"]}) == ["one: late names the alarm behind, which there is not"]


def test_what_is_protected_or_full_is_not_deleted() -> None:
    account, full = Account(), {"bucket": one("S3::Bucket")}
    assert account.update(HERE, "one", template(full), protected=True) == []
    assert account.delete(HERE, "one") == ["one: it is protected", "one: bucket: the bucket is not empty"]
    account.protect(HERE, "one", protected=False)
    account.empty(HERE, "one")
    assert account.delete(HERE, "one") == []
    guarded = {"table": one("DynamoDB::GlobalTable", Replicas=[{"DeletionProtectionEnabled": True}])}
    assert account.update(HERE, "two", template(guarded)) == []
    assert account.delete(HERE, "two") == ["two: table: it is protected"]


def test_an_update_that_would_lose_data_is_told() -> None:
    users = one("Cognito::UserPool")
    assert changed({"users": users}, {}) == ["one: users is deleted with all that it holds"]
    assert changed({"users": users | {"DeletionPolicy": "Retain"}}, {}) == []


def test_a_template_has_its_size() -> None:
    many = {f"queue{n}": QUEUE for n in range(501)}
    assert changed({}, many) == ["one: it has 501 resources, and may have 500"]
