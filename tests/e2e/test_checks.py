"""A check through the deployed state machine: it finds the one number that is wrong, tells of it, and repairs it."""

from edgewise.aggregates.keys import SUMMARY
from edgewise.dynamodb.keys import Key
from functions.systems.chat import keys as chat_keys
from tests.e2e.breaking import count_one_more
from tests.e2e.conftest import Client, Deployment, Reconcile, Settle, quiet

ROOM, USER = "checked", "chloe"
BROKEN = Key(chat_keys.user(USER), SUMMARY)


def test_the_one_wrong_number_is_found_told_and_repaired(
    deployment: Deployment, importer: Client, guest: Client, admin: Client, reconcile: Reconcile, settle: Settle
) -> None:
    messages = [{"text": "hi", "user": USER, "sent_at": n, "message_id": f"{n}"} for n in range(3)]
    importer.post("rooms", ROOM, "messages", body={"messages": messages})
    settle()
    count_one_more(deployment.table, BROKEN, "Messages")
    quiet()

    found = reconcile()
    assert [(each["pk"], each["sk"], each["why"]) for each in found.first("differences", 9)] == [(*BROKEN, "wrong")]
    assert found.summary()["unsettled"] == 0
    check = admin.get("checks", found.run)
    assert (check["state"], check["by_kind"]["USER"]["wrong"]) == ("done", 1)
    assert check["differences"] == {"wrong": 1, "follows": 0, "noted": 0, "unreadable": 0}
    (told,) = admin.get("checks", found.run, "differences")["differences"]
    assert (told["about"], told["expected"], told["stored"]) == (
        ["USER", [USER]],
        {"Messages": "3"},
        {"Messages": "4"},
    )

    assert [each["about"] for each in reconcile("plan").first("plan", 9)] == [["USER", [USER]]]
    assert guest.get("users", USER, "rooms")["summary"] == {"messages": 3, "rooms": 1}
    found = reconcile()
    assert found.first("differences", 9) == []
    assert admin.get("checks", found.run)["differences"] == {"wrong": 0, "follows": 0, "noted": 0, "unreadable": 0}
