"""The console on a stage: a page that nobody changes, under one origin with the API, as on the local cloud."""

import json
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template
from aws_cdk.aws_cognito import UserPool

from infra.console import build
from infra.console.build import BuildError
from infra.console.console import Console
from infra.console.settings import ConsoleSettings
from infra.console_headers import HASHED, caching, of_pages
from infra.settings import InfraSettings
from infra.sign_in import SignIn
from local.console import Site
from tests.infra.conftest import Deployment, new_app

# CloudFront's own policies, by the ids that its documentation gives.
CACHING_OPTIMIZED, CACHING_DISABLED = "658327ea-f89d-4fab-a63d-7e88639e58f6", "4135ea2d-6df8-44a3-9df3-4b5a84be39ad"
ALL_BUT_THE_HOST = "b689b0a8-53d0-40ab-baf2-68738e2966ac"
# The longest header that CloudFront adds, by its quotas.
LONGEST = 1783
OWN = ConsoleSettings("console.example.com", "arn:aws:acm:us-east-1:111122223333:certificate/12ab-34cd")
SOCKETS = "abc.execute-api.us-east-1.amazonaws.com"


def the_only(deployment: Deployment, kind: str) -> Any:
    (found,) = deployment.resources(kind).values()
    return found["Properties"]


def distribution(checked: Deployment) -> Any:
    return the_only(checked, "AWS::CloudFront::Distribution")["DistributionConfig"]


def alone(
    console: ConsoleSettings,
    socket_domain: str | None = None,
    assembly: Path | None = None,
    region: str | None = None,
    **context: Any,
) -> Template:
    """The template of a console with little besides, written into the folder `assembly`."""
    app = new_app("dev", outdir=str(assembly) if assembly else None, **context)
    asked = InfraSettings("dev", console=console, region=region, account="111122223333" if region else None)
    stack = Stack(app, "alone")
    sign_in = SignIn(stack, "sign-in", UserPool(stack, "users"), asked)
    Console(stack, "console", asked, console, "api.example.com", sign_in, socket_domain)
    return Template.from_stack(stack)


def config_of(template: Template) -> Any:
    """The distribution of a template."""
    (found,) = template.find_resources("AWS::CloudFront::Distribution").values()
    return found["Properties"]["DistributionConfig"]


def text_of(value: Any, parts: Mapping[str, str]) -> str:
    """A joined text of a template, with values for what it refers to."""
    if isinstance(value, str):
        return value
    return "".join(one if isinstance(one, str) else parts[one["Ref"]] for one in value["Fn::Join"][1])


def test_no_stage_has_one_unless_it_asks_for_it(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    for stage in (dev, prod, local):
        assert not stage.resources("AWS::CloudFront::Distribution")
        assert "ConsoleUrl" not in stage.api.to_json()["Outputs"]


def test_only_the_distribution_reads_the_bucket(checked: Deployment) -> None:
    template = checked.api.to_json()["Resources"]
    ((name, bucket),) = [(key, one) for key, one in template.items() if one["Type"] == "AWS::S3::Bucket"]
    block = bucket["Properties"]["PublicAccessBlockConfiguration"]
    assert block == dict.fromkeys(
        ("BlockPublicAcls", "BlockPublicPolicy", "IgnorePublicAcls", "RestrictPublicBuckets"), True
    )
    assert bucket["Properties"]["BucketEncryption"]
    (policy,) = [one["Properties"] for one in template.values() if one["Type"] == "AWS::S3::BucketPolicy"]
    assert policy["Bucket"] == {"Ref": name}
    refused, emptied, served = policy["PolicyDocument"]["Statement"]
    assert (refused["Effect"], refused["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})
    # CDK's function, when the stack is deleted.
    assert "AutoDelete" in emptied["Principal"]["AWS"]["Fn::GetAtt"][0]
    assert (served["Action"], served["Principal"]) == ("s3:GetObject", {"Service": "cloudfront.amazonaws.com"})
    (of_ours,) = checked.resources("AWS::CloudFront::Distribution")
    assert {"Ref": of_ours} in served["Condition"]["StringEquals"]["AWS:SourceArn"]["Fn::Join"][1]


def test_the_api_refers_to_nothing_of_the_console_but_its_client_does(checked: Deployment) -> None:
    """So it can be added later: nothing of the API is changed then but who may sign in, and from where."""
    resources = checked.api.to_json()["Resources"]
    own = {key for key in resources if key.startswith("console")}
    assert {resources[key]["Type"] for key in own} >= {"AWS::CloudFront::Distribution", "AWS::S3::Bucket"}
    referring = {
        resource["Type"]
        for key, resource in resources.items()
        if key not in own
        and "CDK" not in key
        and resource["Properties"].get("Handler") != "index.handler"
        and own & set(re.findall('"(console[A-Za-z0-9]+)"', json.dumps(resource)))
    }
    assert referring == {"AWS::Cognito::UserPoolClient"}


def test_the_bucket_goes_with_its_stack(checked: Deployment) -> None:
    (bucket,) = checked.api.find_resources("AWS::S3::Bucket").values()
    assert bucket["DeletionPolicy"] == "Delete"
    assert checked.resources("Custom::S3AutoDeleteObjects")


def test_files_have_the_headers_of_the_local_cloud(checked: Deployment) -> None:
    policy = the_only(checked, "AWS::CloudFront::ResponseHeadersPolicy")["ResponseHeadersPolicyConfig"]
    (domain,) = checked.resources("AWS::Cognito::UserPoolDomain")
    fields = policy["SecurityHeadersConfig"]
    security = text_of(fields["ContentSecurityPolicy"]["ContentSecurityPolicy"], {domain: "edgewise-prod-1"})
    served = {one["Header"]: one["Value"] for one in policy["CustomHeadersConfig"]["Items"]} | {
        "content-security-policy": security,
        "referrer-policy": fields["ReferrerPolicy"]["ReferrerPolicy"],
        "strict-transport-security": f"max-age={fields['StrictTransportSecurity']['AccessControlMaxAgeSec']}",
        "x-content-type-options": "nosniff" if fields["ContentTypeOptions"] else None,
    }
    assert served == of_pages("https://edgewise-prod-1.auth.us-east-1.amazoncognito.com")
    assert all(len(value) <= LONGEST for value in served.values() if value)
    assert all(one["Override"] for one in (*policy["CustomHeadersConfig"]["Items"], *fields.values()))


def test_the_page_is_cached_as_its_files_say(checked: Deployment) -> None:
    behavior = distribution(checked)["DefaultCacheBehavior"]
    assert behavior["CachePolicyId"] == CACHING_OPTIMIZED
    assert behavior["ViewerProtocolPolicy"] == "redirect-to-https"
    assert "OriginRequestPolicyId" not in behavior
    assert "ResponseHeadersPolicyId" in behavior


def test_scripts_are_kept_for_pages_that_are_open_and_pages_name_only_what_is_there(checked: Deployment) -> None:
    uploads = checked.api.find_resources("Custom::CDKBucketDeployment")
    (scripts,) = [key for key, one in uploads.items() if "Include" in one["Properties"]]
    (pages,) = uploads.keys() - {scripts}
    of_scripts, of_pages = uploads[scripts]["Properties"], uploads[pages]["Properties"]
    pattern = f"{HASHED[1:]}*"
    assert (of_scripts["Exclude"], of_scripts["Include"], of_scripts["Prune"]) == (["*"], [pattern], False)
    assert (of_pages["Exclude"], of_pages["Prune"]) == ([pattern], True)
    assert of_scripts["SystemMetadata"] == {"cache-control": caching(f"{HASHED}a.js")}
    assert of_pages["SystemMetadata"] == {"cache-control": caching("/config.json")}
    assert scripts in uploads[pages]["DependsOn"]


@pytest.mark.parametrize("sockets", [None, SOCKETS])
def test_the_page_is_told_where_people_sign_in_and_whether_there_are_sockets(
    sockets: str | None, tmp_path: Path
) -> None:
    template = alone(ConsoleSettings(), sockets, tmp_path)
    (client,) = template.find_resources("AWS::Cognito::UserPoolClient")
    (domain,) = template.find_resources("AWS::Cognito::UserPoolDomain")
    parts = {client: "c1", domain: "edgewise", "AWS::Region": "eu-central-1"}
    assert told(template, tmp_path, parts) == {
        "clientId": "c1",
        "signInUrl": "https://edgewise.auth.eu-central-1.amazoncognito.com",
        "live": sockets is not None,
        "search": False,
        "faults": False,
        "stage": "dev",
    }


def told(template: Template, assembly: Path, parts: Mapping[str, str]) -> Any:
    """What config.json says once CDK has put the values in for its markers."""
    (file,) = assembly.glob("asset.*/config.json")
    text = file.read_text()
    for one in template.find_resources("Custom::CDKBucketDeployment").values():
        for markers in one["Properties"].get("SourceMarkers", ()):
            for marker, value in markers.items():
                text = text.replace(marker, text_of(value, parts))
    return json.loads(text)


def test_the_api_gets_requests_whole_but_for_the_host_by_which_it_is_found(checked: Deployment) -> None:
    (behavior,) = [one for one in distribution(checked)["CacheBehaviors"] if one["PathPattern"] == "/api/*"]
    assert set(behavior["AllowedMethods"]) >= {"GET", "HEAD", "POST", "PUT", "DELETE"}
    assert (behavior["CachePolicyId"], behavior["OriginRequestPolicyId"]) == (CACHING_DISABLED, ALL_BUT_THE_HOST)
    assert behavior["ViewerProtocolPolicy"] == "https-only"
    # What the page may run says nothing about the API's answers.
    assert "ResponseHeadersPolicyId" not in behavior
    (origin,) = [one for one in distribution(checked)["Origins"] if one["Id"] == behavior["TargetOriginId"]]
    (api,) = checked.api.find_resources("AWS::ApiGatewayV2::Api")
    # https://ID.execute-api.REGION.amazonaws.com
    assert origin["DomainName"] == {"Fn::Select": [2, {"Fn::Split": ["/", {"Fn::GetAtt": [api, "ApiEndpoint"]}]}]}
    assert origin["CustomOriginConfig"]["OriginProtocolPolicy"] == "https-only"


def test_no_refusal_of_the_api_becomes_a_page(checked: Deployment) -> None:
    assert "CustomErrorResponses" not in distribution(checked)


def test_sockets_are_opened_under_the_same_origin() -> None:
    config = config_of(alone(ConsoleSettings(), SOCKETS))
    assert [one["PathPattern"] for one in config["CacheBehaviors"]] == ["/api/*", "/live"]
    (behavior,) = [one for one in config["CacheBehaviors"] if one["PathPattern"] == "/live"]
    assert (behavior["CachePolicyId"], behavior["OriginRequestPolicyId"]) == (CACHING_DISABLED, ALL_BUT_THE_HOST)
    # The path is that of the WebSocket API's stage.
    assert "FunctionAssociations" not in behavior
    (origin,) = [one for one in config["Origins"] if one["Id"] == behavior["TargetOriginId"]]
    assert origin["DomainName"] == SOCKETS


def test_without_a_domain_of_its_own_it_has_cloudfronts(checked: Deployment) -> None:
    assert not distribution(checked).keys() & {"Aliases", "ViewerCertificate"}
    assert distribution(checked)["HttpVersion"] == "http2and3"
    (name,) = checked.resources("AWS::CloudFront::Distribution")
    url = {"Fn::Join": ["", ["https://", {"Fn::GetAtt": [name, "DomainName"]}]]}
    assert checked.api.to_json()["Outputs"]["ConsoleUrl"]["Value"] == url


def test_a_domain_of_its_own_has_its_certificate_and_may_sign_in() -> None:
    template = alone(OWN)
    config = config_of(template)
    assert config["Aliases"] == [OWN.domain]
    assert config["ViewerCertificate"] == {
        "AcmCertificateArn": OWN.certificate,
        "MinimumProtocolVersion": "TLSv1.2_2025",
        "SslSupportMethod": "sni-only",
    }
    (client,) = template.find_resources("AWS::Cognito::UserPoolClient").values()
    assert f"https://{OWN.domain}/signed-in" in client["Properties"]["CallbackURLs"]
    assert f"https://{OWN.domain}/" in client["Properties"]["LogoutURLs"]
    assert template.to_json()["Outputs"]["ConsoleUrl"]["Value"] == f"https://{OWN.domain}"


ACL = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/theirs/0a1b-2c3d"


def test_aws_waf_refuses_nothing_unless_that_is_asked_for(checked: Deployment) -> None:
    assert "WebACLId" not in distribution(checked)
    assert not checked.resources("AWS::WAFv2::WebACL")
    assert config_of(alone(ConsoleSettings(web_acl=ACL)))["WebACLId"] == ACL


def test_a_stages_own_list_refuses_known_attackers_and_floods_and_lets_every_body_through() -> None:
    template = alone(ConsoleSettings(web_acl="own"), region="us-east-1")
    ((name, acl),) = template.find_resources("AWS::WAFv2::WebACL").items()
    assert config_of(template)["WebACLId"] == {"Fn::GetAtt": [name, "Arn"]}
    properties = acl["Properties"]
    assert (properties["Scope"], properties["DefaultAction"]) == ("CLOUDFRONT", {"Allow": {}})
    rules = {each["Name"]: each for each in properties["Rules"]}
    assert sorted(each["Priority"] for each in rules.values()) == [0, 1, 2]
    # It would refuse what 500 readings take.
    assert "AWSManagedRulesCommonRuleSet" not in rules
    flooding = rules["flooding"]
    assert flooding["Statement"]["RateBasedStatement"]["Limit"] == 3000
    assert flooding["Action"]["Block"]["CustomResponse"] == {"ResponseCode": 429}
    assert all(each["OverrideAction"] == {"None": {}} for key, each in rules.items() if key != "flooding")


@pytest.fixture(scope="module")
def at_the_edge(checked: Deployment) -> Callable[[str, str], str]:
    """Runs the function before a path pattern, as it is deployed, on the path of a request."""
    config = distribution(checked)
    behaviors = {"*": config["DefaultCacheBehavior"], **{one["PathPattern"]: one for one in config["CacheBehaviors"]}}
    functions = checked.resources("AWS::CloudFront::Function")

    def run(pattern: str, path: str) -> str:
        (association,) = behaviors[pattern]["FunctionAssociations"]
        assert association["EventType"] == "viewer-request"
        function = functions[association["FunctionARN"]["Fn::GetAtt"][0]]["Properties"]
        event = {"request": {"uri": path, "querystring": {"x": {"value": "%2F"}}}}
        script = f"{function['FunctionCode']}\nconsole.log(JSON.stringify(handler({json.dumps(event)})))"
        done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
        request = json.loads(done.stdout)
        assert request["querystring"] == event["request"]["querystring"]
        return str(request["uri"])

    return run


@pytest.mark.parametrize(
    "path", ["/devices/a~2Fb", "/devices/New%20York", "/devices/Z%C3%BCrich", "/devices/100~25/api/x", "/api/x", "/"]
)
def test_the_api_gets_paths_without_its_prefix_and_with_their_escapes(
    at_the_edge: Callable[[str, str], str], path: str
) -> None:
    assert at_the_edge("/api/*", f"/api{path}") == path


@pytest.mark.parametrize(
    "address",
    [
        "/",
        "/index.html",
        "/icon.svg",
        "/assets/a-1.js",
        "/rooms",
        "/signed-in",
        "/rooms/harbour",
        "/devices/a.b",
        "/api",
    ],
)
def test_addresses_are_shown_as_on_the_local_cloud(
    at_the_edge: Callable[[str, str], str], tmp_path: Path, address: str
) -> None:
    (tmp_path / "assets").mkdir()
    for file in ("index.html", "icon.svg", "assets/a-1.js"):
        (tmp_path / file).touch()
    site = Site(tmp_path, {}, "", "", "")
    assert site.upstream(address) is None
    assert tmp_path / at_the_edge("*", address)[1:] == site.file(address)


def test_what_the_page_has_to_know_and_scripts_that_are_gone_are_asked_of_the_bucket(
    at_the_edge: Callable[[str, str], str],
) -> None:
    for path in ("/config.json", "/assets/gone-1.js"):
        assert at_the_edge("*", path) == path


def test_whatever_the_page_is_built_from_makes_another_upload(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "WEB", tmp_path)
    monkeypatch.setattr(build, "digest_of", lambda files: [path.name for path in files])
    (tmp_path / "src" / "pages").mkdir(parents=True)
    (tmp_path / "public").mkdir()
    files = ["index.html", "package-lock.json", "public/icon.svg", "src/pages/room.tsx", "src/style.css"]
    for file in (*files, "src/router.test.ts", "src/schema.d.ts"):
        (tmp_path / file).touch()
    assert sorted(build.page_digest()) == sorted(["openapi.json", *(Path(file).name for file in files)])


def test_whoever_deploys_reads_that_the_page_can_not_be_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(build, "VITE", tmp_path / "vite")
    bundling: dict[str, Any] = {"aws:cdk:bundling-stacks": ["**"]}
    with pytest.raises(BuildError, match="make setup"):
        alone(ConsoleSettings(), **bundling)
