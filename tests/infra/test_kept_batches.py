"""Where a stage keeps batches of its consumer: in a private bucket of which all ends, and only if it asks for that."""

from typing import Any

from infra.kept_batches import KEPT
from tests.infra.conftest import Deployment


def kept(deployment: Deployment) -> dict[str, Any]:
    """The buckets for kept batches of a stage, by their logical ids."""
    found = deployment.edge_stream.find_resources("AWS::S3::Bucket")
    return {name: each["Properties"] for name, each in found.items() if name.startswith("kept")}


def keeps(deployment: Deployment) -> Any:
    """The setting of the consumer's function."""
    return deployment.functions()["edge_aggregator"]["Environment"]["Variables"]["KEEPS"]


def test_production_keeps_one_batch_in_a_thousand_for_a_week(prod: Deployment) -> None:
    ((name, bucket),) = kept(prod).items()
    assert keeps(prod) == {"Fn::Join": ["", ["1000 ", {"Ref": name}]]}
    (rule,) = bucket["LifecycleConfiguration"]["Rules"]
    assert (rule["Status"], rule["ExpirationInDays"]) == ("Enabled", KEPT.to_days())
    assert "Prefix" not in rule, "all of it ends"
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert prod.edge_stream.find_outputs("KeptBatchesBucketName")["KeptBatchesBucketName"]["Value"] == {"Ref": name}


def test_a_developers_stage_keeps_nothing(dev: Deployment) -> None:
    assert kept(dev) == {}
    assert keeps(dev) == "none"
    assert dev.edge_stream.find_outputs("KeptBatchesBucketName") == {}
