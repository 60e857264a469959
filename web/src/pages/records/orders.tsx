/** Orders as a table, and the open ones of all customers. */

import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { customerAt } from "../../links";
import { address } from "../../router";
import { Asking, Field } from "../../ui/asking";
import { Instant } from "../../ui/figures";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Table } from "../../ui/table";

type Order = components["schemas"]["OrderOut"];

export const Orders = ({ of, named }: { of: readonly Order[]; named: boolean }) => (
  <Table
    name="Orders"
    columns={["Order", ...(named ? ["Customer"] : []), "Opened", "Amount", "Shipped"]}
    rows={of.map((each) => [
      `${each.customer}/${each.order_id}`,
      each.order_id,
      ...(named
        ? [
            <a key="customer" href={customerAt(each.customer)}>
              {each.customer}
            </a>,
          ]
        : []),
      <Instant key="opened" at={each.opened_at} />,
      each.amount,
      each.shipped_at ? (
        <Instant key="shipped" at={each.shipped_at} />
      ) : (
        <span key="shipped" class="mark">
          open
        </span>
      ),
    ])}
  />
);

/** The days of the address, as a range of instants. */
export const daysAsked = (): { from?: string; to?: string } => {
  const { searchParams } = address.value;
  const [from, to] = ["from", "to"].map((name) => searchParams.get(name));
  return { ...(from && { from: `${from}T00:00:00Z` }), ...(to && { to: `${to}T00:00:00Z` }) };
};

/** Asks for a range of days; the second one does not belong to it. */
export const Days = () => {
  const { searchParams } = address.value;
  return (
    <Asking ask="Show">
      <Field label="Opened from" type="date" name="from" value={searchParams.get("from") ?? ""} />
      <Field label="Before" type="date" name="to" value={searchParams.get("to") ?? ""} />
    </Asking>
  );
};

export const OpenOrders = () => {
  const days = daysAsked();
  const list = useListed(JSON.stringify(days), (cursor) =>
    bodyOf(api.GET("/orders/open", { params: { query: { ...days, limit: 50, ...cursor } } })),
  );
  return (
    <>
      <Heading above={["/records", "Records"]} name="Open orders of all customers" />
      <Days />
      <Listing list={list} entries={(page) => page.orders} empty="No order is open." more="More orders">
        {(orders) => <Orders of={orders} named />}
      </Listing>
    </>
  );
};
