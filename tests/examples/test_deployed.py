"""The example as its reader has it: from the wheel, in an environment of its own, deployed, attacked, and recounted."""

import json
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest

from delivery import Faults, Mapping, Simulator, Source, Stream
from delivery.records import Record
from local import cdk, deploy
from local.cloud import running
from local.drain import drain
from local.stream.running import start
from ops.local_cloud import Cloud
from ops.processes import free_port
from ops.stage import PATIENT
from tests.project.wheel import ROOT, cloned

TABLE, FUNCTION, OPERATORS = "shop-orders", "shop-views", "shop-views-operators"
# What Lambda does to events; what happens within the function is for tests that have it in their own process.
FAULTS = Faults(repeated=0.2, rewound=0.2, answer_lost=0.2, short_batch=0.5, rewind=40)
# As the construct has it, with smaller batches.
MAPPING = Mapping(batch_size=40, tumbling_window=50)
# Nobody keeps views of the table yet.
BEFORE = """
import edgewise
edgewise.ExactAggregates = lambda *_, **__: None
import app
"""
READ = """
import json
from shop import SHOP, Best, Customers, Products
table = SHOP.open("shop-orders")

def customer(row):
    return row.orders, str(row.euros), str(row.least), str(row.greatest)

def product(row):
    return row.orders, str(row.euros), row.customers

print(json.dumps({
    "names": [view.declared.full_name for view in (Customers, Products)],
    "customers": {name: customer(Customers.get(table, customer=name)) for name in ("ann", "bob", "cat")},
    "products": {name: product(Products.get(table, product=name)) for name in ("tea", "mug", "jar")},
    "best": [[each.member, str(each.number)] for each in Best.ranking(table, Best.products, 10).standings],
}))
"""


class Shop:
    """The example's folder, with an environment that has nothing but what the page installs, on a local cloud."""

    def __init__(self, cloud: Cloud, folder: Path) -> None:
        self.cloud, self.folder, self.random = cloud, folder / "own_table", Random(11)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
        self._python = folder / "venv" / "bin" / "python"
        cloned(folder / "edgewise")
        self.folder.mkdir()
        self._install()
        copytree(ROOT / "examples" / "own_table", self.folder, dirs_exist_ok=True)

    def deploy(self, program: str = "app.py") -> None:
        (self.folder / "build" / "shop.py").write_bytes((self.folder / "shop.py").read_bytes())
        app = ["--app", f"{self._python} {program}", "-c", "edgewise:emulator=true"]
        cdk.run(self.cloud, self.folder, "deploy", *app, "--require-approval", "never")

    def declare(self, old: str, new: str) -> None:
        """Change what `shop.py` says."""
        path = self.folder / "shop.py"
        path.write_text(path.read_text().replace(old, new))

    def read(self) -> Any:
        """The rows, as a program of the shop reads them."""
        command = [str(self._python), "-c", READ]
        found = subprocess.run(command, cwd=self.folder, env=self.cloud.env(), check=True, capture_output=True)
        told = json.loads(found.stdout)
        self.names = told.pop("names")
        return told

    def invoke(self, event: Any, function: str = FUNCTION) -> Any:
        answer = self._lambda.invoke(FunctionName=function, Payload=_json(event))
        found = json.loads(answer["Payload"].read())
        assert "FunctionError" not in answer, found
        return found

    def write(self, changes: int) -> None:
        """Make orders, change them, and cancel some."""
        for _ in range(changes):
            key = self._key(self.random.choice(["ann", "bob", "cat"]), f"order-{self.random.randint(1, 9)}")
            if self.random.random() < 0.25:
                self._dynamodb.delete_item(TableName=TABLE, Key=key)
            else:
                product, euros = self.random.choice(["tea", "mug", "jar"]), self.random.randint(1, 99)
                item = {**key, "product": {"S": product}, "euros": {"N": str(euros)}}
                self._dynamodb.put_item(TableName=TABLE, Item=item)
        self._dynamodb.put_item(TableName=TABLE, Item=self._key("ann", "address"))

    def orders(self) -> list[tuple[str, str, Decimal]]:
        """What a plain scan finds."""
        items = self._dynamodb.scan(TableName=TABLE, ConsistentRead=True)["Items"]
        found = (each for each in items if each["what"]["S"].startswith("order-"))
        return [(each["customer"]["S"], each["product"]["S"], Decimal(each["euros"]["N"])) for each in found]

    def halt(self) -> None:
        """Let nobody but a simulator deliver from now on."""
        for each in self._lambda.list_event_source_mappings(FunctionName=FUNCTION)["EventSourceMappings"]:
            self._lambda.update_event_source_mapping(UUID=each["UUID"], Enabled=False)

    def records(self, arn: str) -> dict[str, list[Record]]:
        """Everything that the stream has, by shard."""
        streams, found = self.cloud.client("dynamodbstreams"), dict[str, list[Record]]()
        for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
            first = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
            page = {"NextShardIterator": streams.get_shard_iterator(**first)["ShardIterator"], "Records": [None]}
            found[shard["ShardId"]] = []
            while page["Records"]:
                page = streams.get_records(ShardIterator=page["NextShardIterator"])
                found[shard["ShardId"]] += [_as_delivered(record, arn) for record in page["Records"]]
        return found

    def attack(self) -> None:
        """Deliver all that the stream has, from its beginning, with faults, to the deployed function."""
        arn = self._dynamodb.describe_table(TableName=TABLE)["Table"]["LatestStreamArn"]
        found = self.records(arn)
        stream = Stream(Source(keys=["customer", "what"], arn=arn), shards=len(found))
        for shard, shard_id in zip(stream.open_shards, found, strict=True):
            shard.id = shard_id
        simulator = Simulator(lambda event, _: self.invoke(event), stream, MAPPING, FAULTS, seed=7)
        # What it delivers lets the function write, and so there is more to deliver.
        while sum(map(len, found.values())) > sum(len(shard.records) for shard in stream.shards):
            for shard in stream.shards:
                shard.records.extend(found[shard.id][len(shard.records) :])
            simulator.drain()
            found = self.records(arn)

    def _install(self) -> None:
        """As printed, in an empty folder."""
        commands = "\n".join(re.findall(r"^    (pip .*)$", (ROOT / "docs" / "own-table.md").read_text(), re.MULTILINE))
        # Bytecode is made of what is imported: to compile all of the CDK takes half a minute.
        pip = {"PIP_QUIET": "1", "PIP_COMPILE": "false", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        path = os.pathsep.join([str(self._python.parent), os.environ["PATH"]])
        env = os.environ | pip | {"PATH": path}
        subprocess.run(["bash", "-euc", commands], cwd=self.folder, env=env, check=True)

    @staticmethod
    def _key(customer: str, what: str) -> dict[str, Any]:
        return {"customer": {"S": customer}, "what": {"S": what}}

    @cached_property
    def _dynamodb(self) -> Any:
        return self.cloud.client("dynamodb")

    @cached_property
    def _lambda(self) -> Any:
        return self.cloud.client("lambda", PATIENT)


def _json(value: Any) -> str:
    return json.dumps(value, default=lambda of_bytes: b64encode(of_bytes).decode())


def _as_delivered(record: Any, arn: str) -> Record:
    change = record["dynamodb"]
    at = change["ApproximateCreationDateTime"].timestamp()
    form = record | {"eventSourceARN": arn, "dynamodb": change | {"ApproximateCreationDateTime": at}}
    wire = _json(form)
    return Record(int(change["SequenceNumber"]), at, _json(change["Keys"]), wire, len(wire))


def expected(orders: list[tuple[str, str, Decimal]]) -> Any:
    sums = Counter[str]()
    for _, product, euros in orders:
        sums[product] += int(euros)
    amounts = {name: [euros for who, _, euros in orders if who == name] for name in ("ann", "bob", "cat")}
    of = {name: [who for who, product, _ in orders if product == name] for name in ("tea", "mug", "jar")}
    return {
        "customers": {
            name: [len(each), str(sum(each)), str(min(each, default=None)), str(max(each, default=None))]
            for name, each in amounts.items()
        },
        "products": {name: [len(each), str(sums[name]), len({*each})] for name, each in of.items()},
        "best": [[name, str(number)] for name, number in sums.most_common()],
    }


@pytest.fixture(scope="module")
def shop(local_cloud: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with running(free_port()) as cloud:
        start(cloud)
        deploy.bootstrap(cloud)
        yield Shop(cloud, tmp_path_factory.mktemp("shop"))


def settled(shop: Shop) -> Any:
    """What the rows are once the stream is delivered."""
    drain(shop.cloud)
    return shop.read()


def test_a_table_that_is_there_gets_exact_views(shop: Shop) -> None:
    (shop.folder / "before.py").write_text(BEFORE)
    shop.deploy("before.py")
    shop.write(60)
    shop.declare("(View, of=Order)", '(View, of=Order, backfill="first")')
    shop.deploy()
    shop.write(20)
    assert shop.invoke({"do": "backfill"}, OPERATORS)["complete"]
    shop.write(20)
    assert settled(shop) == expected(shop.orders())
    shop.halt()
    shop.write(30)
    shop.attack()
    assert shop.read() == expected(shop.orders())
    for kind, groups in zip(shop.names, (("ann", "bob", "cat"), ("tea", "mug", "jar")), strict=True):
        for group in groups:
            assert shop.invoke({"do": "recount", "kind": kind, "dimensions": [group]}, OPERATORS)["equal"]
