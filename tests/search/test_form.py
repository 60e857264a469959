"""An index that an earlier release has made is read as it is, and a change of what indexes are made of says so."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from tantivy import Document, Index, SchemaBuilder, TextAnalyzerBuilder, Tokenizer

from edgewise import Key
from functions.errors import BeingFilledError
from functions.search import analysis, embedded
from functions.search.embedded import Embedded
from functions.search.engine import FORM, Address
from functions.search.opensearch_requests import created
from functions.search.query import Search, clauses
from functions.searchable import Contents
from tests.support.http import Client
from tests.support.searching import SEARCHED

FOX = Address("message", Key("fox", "x"))
# A text in which each step from text to words has something to do, and what an index holds beside words.
SAMPLE = "Die Häuser, İzmir's jumping foxes ⑴⑵ " + "x" * 100
THING = Contents(("a", "b"), SAMPLE, SAMPLE, 1, {"room": "sea"}, frozenset({"amy"}))


def of_a_release_before(folder: Path) -> Embedded:
    """An index with the schema of form 1: another name of the attributes, whose text might be taken for dates."""
    builder, raw = SchemaBuilder(), TextAnalyzerBuilder(Tokenizer.raw()).build()
    for name in ("address", "digest", "readers"):
        builder.add_text_field(name, stored=True, tokenizer_name="whole", index_option="basic")
    builder.add_text_field("kind", fast=True, tokenizer_name="whole", index_option="basic")
    builder.add_json_field("attributes", fast=True, tokenizer_name="whole", index_option="basic")
    builder.add_integer_field("at", indexed=True, fast=True)
    builder.add_text_field("title", tokenizer_name="plain")
    builder.add_text_field("text", tokenizer_name="plain")
    for language in analysis.LANGUAGES:
        builder.add_text_field(language, tokenizer_name=language, index_option="freq")
    index = Index(builder.build(), str(folder))
    for name, analyzer in {"whole": raw, "plain": analysis.plain(), **analysis.stems()}.items():
        index.register_tokenizer(name, analyzer)
    index.register_fast_field_tokenizer("whole", raw)
    writer = index.writer(15_000_000, 1)
    texts = dict.fromkeys(("text", *analysis.LANGUAGES), "the quick foxes")
    told = {"address": FOX.text(), "digest": "x", "kind": "message", "readers": "*", "attributes": {"room": "sea"}}
    writer.add_document(Document.from_dict(told | texts))
    writer.commit()
    writer.wait_merging_threads()
    return Embedded(folder, "1")


def test_an_index_of_another_form_answers_what_it_can(tmp_path: Path) -> None:
    index = of_a_release_before(tmp_path)
    asked = clauses("fox ", analysis.words)
    answer = index.search(Search(sub="amy", clauses=asked, kinds=["message"], facets=["room"]))
    assert (list(answer.addresses), answer.total, answer.attributes) == ([FOX], 1, {})
    with pytest.raises(BeingFilledError):
        index.search(Search(sub="amy", clauses=asked, attributes={"room": "sea"}))


def test_what_it_cannot_answer_is_said(handlers: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SEARCHED[0], "own", of_a_release_before(tmp_path))
    answer = Client("amy").call("GET /search", {"q": "fox", "where": "room:sea"})
    assert (answer.status, "without `where`" in answer.body["detail"]) == (503, True)
    assert Client("amy").call("GET /search", {"q": "fox"}).status == 200


def test_what_indexes_are_made_of_has_changed_only_if_their_form_has(tmp_path: Path) -> None:
    """Else a release would write to indexes that another one has made otherwise. Change FORM, then this."""
    Embedded(tmp_path)
    fields = json.loads((tmp_path / "meta.json").read_text())["schema"]
    words = [analysis.words(SAMPLE), [analyzer.analyze(SAMPLE) for analyzer in analysis.stems().values()]]
    document = embedded._document(FOX, THING, embedded.schema()).to_dict()
    told = json.dumps([fields, words, document, created("x").body], sort_keys=True)
    assert {FORM: sha256(told.encode()).hexdigest()[:16]} == {"2": "2932008a8d5ebb09"}
