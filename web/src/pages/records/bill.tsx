/** A bill: its amount, and the invoices that contain it. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { invoiceAt } from "../../links";
import { Figures, figure, Instant } from "../../ui/figures";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing, Rows } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";

export const Bill = ({ bill }: { bill: string }) => {
  const path = { bill };
  const read = useLoaded("bill", () => bodyOf(api.GET("/bills/{bill}", { params: { path } })));
  return (
    <>
      <Heading above={["/records", "Records"]} name={bill} />
      <Loading of={read}>
        {({ details, summary }) => (
          <>
            <Figures
              of={[
                ["Amount", figure(details.amount)],
                ["Due", <Instant key="due" at={details.due_at} />],
                ["Invoices", figure(summary.invoices)],
                ["Changes", figure(details.version)],
              ]}
            />
            {details.note && <p class="text">{details.note}</p>}
            <Containing bill={bill} />
          </>
        )}
      </Loading>
    </>
  );
};

const Containing = ({ bill }: { bill: string }) => {
  const list = useListed("invoices", (cursor) =>
    bodyOf(api.GET("/bills/{bill}/invoices", { params: { path: { bill }, query: cursor } })),
  );
  return (
    <section>
      <h2>Invoices that contain it</h2>
      <Listing list={list} entries={(page) => page.invoices} empty="No invoice contains it." more="More invoices">
        {(invoices) => (
          <Rows
            of={invoices.map((each) => [
              each,
              <a key="invoice" href={invoiceAt(each)}>
                {each}
              </a>,
            ])}
          />
        )}
      </Listing>
    </section>
  );
};
