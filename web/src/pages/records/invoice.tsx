/** An invoice: its sum, and the bills that it contains. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { billAt, customerAt } from "../../links";
import { Bar } from "../../ui/bar";
import { Figures, figure, Instant } from "../../ui/figures";
import { addBill } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Table } from "../../ui/table";

export const Invoice = ({ invoice }: { invoice: string }) => {
  const list = useListed("invoice", (cursor) =>
    bodyOf(api.GET("/invoices/{invoice}", { params: { path: { invoice }, query: { limit: 50, ...cursor } } })),
  );
  const { details, summary } = list.pages[0] ?? {};
  return (
    <>
      <Heading above={["/records", "Records"]} name={invoice} />
      {details && (
        <Figures
          of={[
            ["Amount", figure(summary?.amount ?? 0)],
            ["Bills", figure(summary?.bills ?? 0)],
            ["Customer", <CustomerLink key="customer" customer={details.customer} />],
            ["Issued", <Instant key="issued" at={details.issued_at} />],
            ["Changes", figure(details.version)],
          ]}
        />
      )}
      {details?.note && <p class="text">{details.note}</p>}
      <section>
        <h2>Bills</h2>
        <Listing
          list={list}
          entries={(page) => page.bills}
          empty="It contains no bill."
          first={addBill(invoice)}
          more="More bills"
        >
          {(bills) => (
            <Table
              name="Bills"
              columns={[
                "Bill",
                <span key="share" class="hidden">
                  Share
                </span>,
                "Amount",
              ]}
              rows={bills.map((each) => [
                each.bill,
                <a key="bill" href={billAt(each.bill)}>
                  {each.bill}
                </a>,
                <Bar key="share" of={each.amount} greatest={Math.max(...bills.map(({ amount }) => amount))} />,
                each.amount,
              ])}
            />
          )}
        </Listing>
      </section>
    </>
  );
};

const CustomerLink = ({ customer }: { customer: string | null }) =>
  customer ? <a href={customerAt(customer)}>{customer}</a> : <>–</>;
