/** Orders as a table, and the open ones of all customers. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import type { components } from "../../api/schema";
import { api } from "../../console";
import { customerAt } from "../../links";
import { address } from "../../router";
import { person } from "../../session/session";
import { Asking, Field } from "../../ui/asking";
import { Instant } from "../../ui/figures";
import { placeOrder } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { Failure } from "../../ui/states";
import { Table } from "../../ui/table";

type Order = components["schemas"]["OrderOut"];

interface Props {
  of: readonly Order[];
  /** Whether each order says whose it is. */
  named: boolean;
  /** What follows after an order has been shipped. */
  shipped: () => void;
}

export const Orders = ({ of, named, shipped }: Props) => (
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
        <Open key="shipped" order={each} shipped={shipped} />
      ),
    ])}
  />
);

/** An open order, which whoever may write can ship. */
const Open = ({ order, shipped }: { order: Order; shipped: () => void }) => {
  const [error, setError] = useState<unknown>();
  const path = { customer: order.customer, order: order.order_id };
  const ship = () =>
    api.POST("/customers/{customer}/orders/{order}/ship", { params: { path } }).then(shipped, setError);
  return (
    <>
      <span class="mark">open</span>{" "}
      {person.value?.writer && (
        <button type="button" aria-label={`Ship ${order.order_id}`} onClick={ship}>
          Ship
        </button>
      )}
      {error ? <Failure error={error} /> : null}
    </>
  );
};

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
      <Listing
        list={list}
        entries={(page) => page.orders}
        empty="No order is open."
        first={placeOrder()}
        more="More orders"
      >
        {(orders) => <Orders of={orders} named shipped={list.reload} />}
      </Listing>
    </>
  );
};
