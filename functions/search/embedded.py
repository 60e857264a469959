"""The embedded engine: an index of tantivy in a folder, with one writer."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tantivy import (
    Document,
    FieldType,
    Index,
    Occur,
    Query,
    Schema,
    SchemaBuilder,
    TextAnalyzerBuilder,
    Tokenizer,
)

from edgewise.dynamodb.table import chunks
from functions.errors import BeingFilledError
from functions.search import analysis
from functions.search.engine import (
    EVERYBODY,
    FORM,
    IN_TITLE,
    ITSELF,
    LONGER,
    MOST_KINDS,
    MOST_VALUES,
    STEM,
    WRONG,
    Address,
    Changes,
    Found,
    digest,
)
from functions.search.query import Clause, Phrase, Search, Word
from functions.search.set_aside import UnindexableError, write_what_can_be
from functions.searchable import Contents

_RAW, _PLAIN = "whole", "plain"
# What each attribute begins with in the index: tantivy takes text in JSON that looks like a date for one, which it does
# not find by the same text, and panics if it can't hold the date. None begins so.
_TEXT = "="
# A writer's memory, of which tantivy wants 15 MB at least.
_HEAP = 30_000_000
_PAGE = 1_000


def schema() -> Schema:
    """The fields of the index. Attributes of any name are in one, so that a new one changes no index."""
    builder = SchemaBuilder()
    builder.add_text_field("address", stored=True, tokenizer_name=_RAW, index_option="basic")
    builder.add_text_field("digest", stored=True, tokenizer_name=_RAW, index_option="basic")
    builder.add_text_field("kind", fast=True, tokenizer_name=_RAW, index_option="basic")
    builder.add_text_field("readers", tokenizer_name=_RAW, index_option="basic")
    builder.add_json_field("labels", fast=True, tokenizer_name=_RAW, index_option="basic")
    builder.add_integer_field("at", indexed=True, fast=True)
    builder.add_text_field("title", tokenizer_name=_PLAIN)
    builder.add_text_field("text", tokenizer_name=_PLAIN)
    for language in analysis.LANGUAGES:
        builder.add_text_field(language, tokenizer_name=language, index_option="freq")
    return builder.build()


class Embedded:
    """An index in a folder, which is made if there is none. One of another `form` only answers, as well as it can."""

    def __init__(self, folder: Path, form: str = FORM) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._current = form == FORM
        self._index = Index.open(str(folder)) if Index.exists(str(folder)) else Index(schema(), str(folder))
        self._index.register_tokenizer(_RAW, TextAnalyzerBuilder(Tokenizer.raw()).build())
        self._index.register_tokenizer(_PLAIN, analysis.plain())
        self._index.register_fast_field_tokenizer(_RAW, TextAnalyzerBuilder(Tokenizer.raw()).build())
        for language, analyzer in analysis.stems().items():
            self._index.register_tokenizer(language, analyzer)
        self._schema = self._index.schema

    def write(self, changes: Changes) -> list[Address]:
        """Replace what is known of these things; returns those that can't be indexed: of them nothing is known then."""
        refused = write_what_can_be(self._commit, changes)
        self.reload()
        return refused

    def _commit(self, changes: Changes) -> None:
        """Write all in one commit, or nothing."""
        with _refusals():
            writer = self._index.writer(_HEAP, 1)
            try:
                for address, contents in changes.items():
                    writer.delete_documents_by_term("address", address.text())
                    if contents:
                        writer.add_document(_document(address, contents, self._schema))
                writer.commit()
                # Whoever copies the folder next finds no file that is still being written.
                writer.wait_merging_threads()
            finally:
                # While there is one, there is no other; and an error would keep it.
                del writer

    def reload(self) -> None:
        """Search what the folder holds now."""
        self._index.reload()

    def search(self, wanted: Search) -> Found:
        """Find things that the user may read."""
        searcher, query = self._index.searcher(), self._query(wanted)
        by = "at" if wanted.order == "time" else None
        page = searcher.search(query, wanted.limit, count=False, order_by_field=by, offset=wanted.offset)
        counts: Any = {"kind": {"terms": {"field": "kind", "size": MOST_KINDS}}}
        facets = wanted.facets if self._current else ()
        counts |= {f".{name}": {"terms": {"field": f"labels.{name}", "size": MOST_VALUES}} for name in facets}
        counted = {name: _counted(found) for name, found in searcher.aggregate(query, counts).items()}
        addresses = [Address.of(searcher.doc(at)["address"][0]) for _, at in page.hits]
        kinds = counted.pop("kind")
        attributes = {name[1:]: _texts(counts) for name, counts in counted.items()}
        return Found(addresses, sum(kinds.values()), kinds, attributes)

    def everything(self) -> Iterator[tuple[Address, str]]:
        """All things in the index, each with the digest of its contents."""
        searcher = self._index.searcher()
        hits = searcher.search(Query.all_query(), max(1, searcher.num_docs), count=False).hits
        for some in chunks(hits, _PAGE):
            for found in (searcher.doc(at) for _, at in some):
                yield Address.of(found["address"][0]), found["digest"][0]

    def _query(self, wanted: Search) -> Query:
        asked = (self._clause(each) for each in wanted.clauses)
        narrowing = (Query.const_score_query(each, 0.0) for each in self._narrowing(wanted))
        without = Query.term_set_query(self._schema, "address", list(wanted.without))
        must = [(Occur.Must, each) for each in (*asked, *narrowing)]
        return Query.boolean_query([*must, (Occur.MustNot, without)])

    def _narrowing(self, wanted: Search) -> Iterator[Query]:
        yield Query.term_set_query(self._schema, "readers", [EVERYBODY, wanted.sub])
        if wanted.kinds:
            yield Query.term_set_query(self._schema, "kind", list(wanted.kinds))
        if wanted.attributes and not self._current:
            raise BeingFilledError
        for name, value in wanted.attributes.items():
            yield Query.term_query(self._schema, f"labels.{name}", _TEXT + value)
        if wanted.start is not None or wanted.end is not None:
            last = None if wanted.end is None else wanted.end - 1
            yield Query.range_query(self._schema, "at", FieldType.Integer, wanted.start, last)

    def _clause(self, clause: Clause) -> Query:
        ways = [(self._itself(clause, "text"), ITSELF), *(self._others(clause) if isinstance(clause, Word) else ())]
        best = Query.disjunction_max_query([Query.boost_query(query, counts) for query, counts in ways])
        in_title = Query.const_score_query(self._itself(clause, "title"), IN_TITLE)
        return Query.boolean_query([(Occur.Must, best), (Occur.Should, in_title)])

    def _itself(self, clause: Clause, name: str) -> Query:
        if isinstance(clause, Phrase):
            return Query.phrase_query(self._schema, name, list(clause.words))
        return Query.term_query(self._schema, name, clause.text)

    def _others(self, word: Word) -> Iterator[tuple[Query, float]]:
        stems = {language: analysis.stem(word.text, language) for language in analysis.LANGUAGES}
        for language, stem in stems.items():
            yield Query.term_query(self._schema, language, stem), STEM
        if word.prefix:
            yield Query.fuzzy_term_query(self._schema, "text", word.text, distance=0, prefix=True), LONGER
        for name, text in {"text": word.text, **stems}.items():
            if len(text) >= analysis.FORGIVING:
                yield Query.fuzzy_term_query(self._schema, name, text, distance=1), WRONG


@contextmanager
def _refusals() -> Iterator[None]:
    """Raises UnindexableError for what tantivy refuses inside the block, also in its own threads, and if it panics."""
    try:
        yield
    except ValueError as error:
        raise UnindexableError(str(error)) from None
    except BaseException as panic:
        # It is no Exception, and no package exports its class.
        if type(panic).__name__ != "PanicException":
            raise
        raise UnindexableError(f"panic: {panic}") from None


def _document(address: Address, contents: Contents, of: Schema) -> Document:
    readers = [EVERYBODY] if contents.readers is None else sorted(contents.readers)
    whole = f"{contents.title}\n{contents.text}"
    found: dict[str, Any] = {
        "address": address.text(),
        "digest": digest(contents),
        "kind": address.kind,
        "readers": readers,
        "labels": {name: _TEXT + value for name, value in contents.attributes.items()},
        "title": contents.title,
        **dict.fromkeys(("text", *analysis.LANGUAGES), whole),
    }
    if contents.at is not None:
        found["at"] = contents.at
    return Document.from_dict(found, of)


def _counted(found: Any) -> dict[str, int]:
    return {each["key"]: each["doc_count"] for each in found["buckets"]}


def _texts(counts: dict[str, int]) -> dict[str, int]:
    return {text.removeprefix(_TEXT): count for text, count in counts.items()}
