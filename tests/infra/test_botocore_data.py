"""What the layer keeps of botocore's data gives the same endpoints and the same requests as all of it."""

import ast
import shutil
from collections.abc import Iterator
from pathlib import Path
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any

import botocore
import pytest
from botocore.config import Config
from botocore.exceptions import EndpointConnectionError
from botocore.loaders import Loader
from botocore.model import ServiceModel, Shape
from botocore.session import get_session

from infra import botocore_data
from infra.botocore_data import SERVICES
from ops.paths import ROOT

ONCE = Config(retries={"total_max_attempts": 1})
INSTALLED = Path(botocore.__file__).parent / "data"
MODEL, ENDPOINTS, CERTIFICATES = "service-2", "endpoints", "cacert.pem"


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with the installed botocore's data, pruned."""
    packages = tmp_path_factory.mktemp("packages")
    data = packages / "botocore" / "data"
    for name in (*SERVICES, "ses"):
        shutil.copytree(INSTALLED / name, data / name)
    for path in INSTALLED.glob("*.json"):
        shutil.copyfile(path, data / path.name)
    shutil.copyfile(INSTALLED.parent / CERTIFICATES, packages / "botocore" / CERTIFICATES)
    botocore_data.prune(packages)
    return packages


@pytest.fixture(scope="module")
def pruned(packages: Path) -> Loader:
    data = packages / "botocore" / "data"
    return Loader(extra_search_paths=[str(data)], include_default_search_paths=False)


def test_other_services_are_gone(packages: Path, pruned: Loader) -> None:
    assert set(pruned.list_available_services(MODEL)) == SERVICES
    assert "ses" not in (packages / "botocore" / "data" / "endpoints.json").read_text()


def test_each_service_is_kept_of_which_a_function_makes_a_client() -> None:
    """The readers of the stream, and who sends heartbeats, look at its shards."""
    calls = (
        call
        for folder in ("edgewise", "functions")
        for path in (ROOT / folder).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text()))
        if isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in ("client", "create_client")
    )
    named = {call.args[0].value for call in calls if call.args and isinstance(call.args[0], ast.Constant)}
    assert named == SERVICES


def test_who_certifies_aws_is_trusted_and_nobody_else(packages: Path) -> None:
    """The five of https://www.amazontrust.com/repository, and those of before."""
    context = SSLContext(PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(packages / "botocore" / CERTIFICATES)
    certificates: Any = context.get_ca_certs()
    subjects = [dict(part for (part,) in each["subject"]) for each in certificates]
    assert {each.get("commonName") for each in subjects} >= {
        "Amazon Root CA 1",
        "Amazon Root CA 2",
        "Amazon Root CA 3",
        "Amazon Root CA 4",
        "Starfield Services Root Certificate Authority - G2",
        "DigiCert Global Root CA",
        "DigiCert Global Root G2",
    }
    organizations = {"Amazon", "Starfield Technologies, Inc.", "DigiCert Inc"}
    assert {each["organizationName"] for each in subjects} == organizations


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_its_endpoints_are_the_same_in_each_region_of_each_partition(service: str, pruned: Loader) -> None:
    name = ServiceModel(Loader().load_service_model(service, MODEL)).endpoint_prefix
    whole, kept = (loader.load_data(ENDPOINTS) for loader in (Loader(), pruned))
    assert alone(name, kept) == alone(name, whole)
    named = [partition["partition"] for partition in kept["partitions"] if name in partition["services"]]
    # The function that sends to sockets is given their endpoint, and botocore knows of no user pools in China.
    expected = {"apigatewaymanagementapi": set(), "cognito-idp": {"aws", "aws-us-gov"}}
    assert expected.get(service, {"aws", "aws-cn", "aws-us-gov"}) <= set(named)


def alone(name: str, endpoints: Any) -> Any:
    """All partitions and regions, and of the endpoints those with this name."""
    return endpoints | {
        "partitions": [
            partition | {"services": {key: each for key, each in partition["services"].items() if key == name}}
            for partition in endpoints["partitions"]
        ]
    }


@pytest.mark.parametrize("service", sorted(SERVICES))
def test_a_client_sends_and_reads_the_same(service: str, pruned: Loader) -> None:
    whole, kept = (ServiceModel(loader.load_service_model(service, MODEL)) for loader in (Loader(), pruned))
    assert kept.metadata == whole.metadata
    assert kept.operation_names == whole.operation_names
    assert kept.shape_names == whole.shape_names
    assert kept.client_context_parameters == whole.client_context_parameters
    for name in whole.shape_names:
        assert list(told(kept.shape_for(name))) == list(told(whole.shape_for(name))), name
    for name in whole.operation_names:
        ours, theirs = kept.operation_model(name), whole.operation_model(name)
        for about in (
            "http",
            "input_shape",
            "output_shape",
            "error_shapes",
            "auth_type",
            "endpoint",
            "context_parameters",
        ):
            assert str(getattr(ours, about)) == str(getattr(theirs, about)), (name, about)


@pytest.mark.parametrize(
    ("service", "operation", "arguments"),
    [
        ("dynamodb", "get_item", {"TableName": "t", "Key": {"PK": {"S": "p"}}}),
        ("s3", "get_object", {"Bucket": "b", "Key": "k"}),
        ("s3", "list_objects_v2", {"Bucket": "b"}),
        ("secretsmanager", "get_secret_value", {"SecretId": "s"}),
    ],
)
def test_a_request_gets_as_far_as_the_network(service: str, operation: str, arguments: Any, pruned: Loader) -> None:
    session = get_session()
    session.register_component("data_loader", pruned)
    session.set_credentials("key", "secret")
    # Nobody listens there.
    client = session.create_client(service, region_name="us-east-1", endpoint_url="http://127.0.0.1:9", config=ONCE)
    with pytest.raises(EndpointConnectionError):
        getattr(client, operation)(**arguments)


def told(shape: Shape) -> Iterator[Any]:
    yield shape.type_name
    yield shape.serialization
    yield shape.metadata
    yield {name: (each.name, each.serialization, each.metadata) for name, each in getattr(shape, "members", {}).items()}
    for part in ("member", "key", "value"):
        if hasattr(shape, part):
            yield getattr(shape, part).name


def test_documentation_goes_but_a_member_of_that_name_stays() -> None:
    member = {"shape": "Text", "documentation": "<p>What it says.</p>"}
    described = {"documentation": "All of it.", "shapes": {"Page": {"members": {"documentation": member}}}}
    kept = {"shapes": {"Page": {"members": {"documentation": {"shape": "Text"}}}}}
    assert botocore_data._undocumented(described) == kept
