/** One item collection of the table or of an index, page by page, and what each page cost. */

import { type Costed, costed, together } from "../../api/cost";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { Consumed } from "../../ui/consumed";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Drawn, Indexed, type IndexOut, type Reach } from "./drawn";

type CollectionOut = components["schemas"]["CollectionOut"];
type Read = Costed<CollectionOut> & { cursor: string | null };
const LIMIT = 50;

interface Props {
  pk: string;
  /** Without one: of the table itself. */
  index: IndexOut | undefined;
  reach: Reach;
}

export const Collection = ({ pk, index, reach }: Props) => {
  const list = useListed(pk, (cursor) => read(index, { pk, limit: LIMIT, ...cursor }));
  return (
    <section>
      <h2>
        {index && `${index.name}: `}
        {pk}
      </h2>
      <Listing list={list} entries={(page) => page.body.items} empty="This partition is empty." more="More items">
        {(items) =>
          index ? (
            <Indexed index={index} items={items} reach={reach} />
          ) : (
            <Drawn name={pk} items={items} reach={reach} />
          )
        }
      </Listing>
      {list.pages.length > 0 && <Consumed of={together(list.pages.map((page) => page.cost))} />}
      <p>
        <a href="/table">How everything lies in the table</a>
      </p>
    </section>
  );
};

const read = async (
  index: IndexOut | undefined,
  query: { pk: string; limit: number; cursor?: string },
): Promise<Read> => {
  const found = await (index
    ? costed(api.GET("/table/index", { params: { query: { name: index.name as "GSI1", ...query } } }))
    : costed(api.GET("/table/partition", { params: { query } })));
  return { ...found, cursor: found.body.cursor };
};
