"""What AWS's schemas say of a type of resources: what can't change without a replacement, and what names one."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

Path = tuple[str, ...]
# Of these there is one with the same values, although the schemas don't say so: mappings of a source to a function,
# routes and authorizers of an API, and what CloudFront and Cognito name for a whole account or region.
UNIQUE: Final[Mapping[str, Sequence[Path]]] = {
    "AWS::ApiGatewayV2::Authorizer": (("ApiId",), ("Name",)),
    "AWS::ApiGatewayV2::Route": (("ApiId",), ("RouteKey",)),
    "AWS::CloudFront::OriginAccessControl": (("OriginAccessControlConfig", "Name"),),
    "AWS::CloudFront::ResponseHeadersPolicy": (("ResponseHeadersPolicyConfig", "Name"),),
    "AWS::Cognito::UserPoolDomain": (("Domain",),),
    "AWS::Lambda::EventSourceMapping": (("EventSourceArn",), ("FunctionName",)),
    "AWS::S3::BucketPolicy": (("Bucket",),),
}
# Their names are for people, and may be the same.
ALIKE: Final = frozenset({"AWS::EMRServerless::Application"})
# Their names are those of an account, whatever the region.
WORLDWIDE: Final = ("AWS::Budgets::", "AWS::CloudFront::", "AWS::CloudWatch::Dashboard", "AWS::IAM::", "AWS::S3::")


@cache
def fixed(kind: str) -> Sequence[Path]:
    """The properties of which another value makes another resource; also those that are so under some conditions."""
    schema = _schema(kind)
    return _paths([*schema.get("createOnlyProperties", ()), *schema.get("conditionalCreateOnlyProperties", ())])


@cache
def naming(kind: str) -> Sequence[Path]:
    """The properties that name a resource: no two may have the same values of all of them. Empty if none do."""
    if kind in UNIQUE:
        return UNIQUE[kind]
    schema = _schema(kind)
    if kind in ALIKE or not schema:
        return ()
    told = {*_paths(schema.get("primaryIdentifier", ()))} - {*_paths(schema.get("readOnlyProperties", ()))}
    made_with = _paths(schema.get("createOnlyProperties", ()))
    return [path for path in made_with if path in told or path[-1].endswith("Name")]


@cache
def makes_room(kind: str) -> bool:
    """Whether the former one is deleted before the next is made; else the next comes first."""
    return bool(_schema(kind).get("replacementStrategy") == "delete_then_create")


def _schema(kind: str) -> Mapping[str, Any]:
    if not kind.startswith("AWS::") or kind == "AWS::CloudFormation::CustomResource":
        return {}
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER  # not everybody has it

    found: Mapping[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema
    return found


def _paths(pointers: Sequence[str]) -> list[Path]:
    return [tuple(each.removeprefix("/properties/").split("/")) for each in pointers]
