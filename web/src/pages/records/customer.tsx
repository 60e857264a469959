/** A customer: sums, and all orders by number, or the open ones, or those of some days, the newest first. */

import { useState } from "preact/hooks";
import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { person } from "../../session/session";
import { Input } from "../../ui/asking";
import { Figures, figure } from "../../ui/figures";
import { placeOrder } from "../../ui/first";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Sending } from "../../ui/sending";
import { Empty } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { Days, daysAsked, Orders } from "./orders";

export const Customer = ({ customer }: { customer: string }) => {
  const params = { path: { customer }, query: { limit: 1 } };
  const first = useLoaded("customer", () => bodyOf(api.GET("/customers/{customer}/orders", { params })));
  const [turn, setTurn] = useState(0);
  const changed = () => {
    first.reload();
    setTurn(turn + 1);
  };
  const found = { customer, changed };
  return (
    <>
      <Heading above={["/records", "Records"]} name={customer} />
      <Loading of={first}>
        {({ summary }) =>
          summary ? (
            <Figures
              of={[
                ["Orders", figure(summary.orders)],
                ["Amount", figure(summary.amount)],
                ["Open", figure(summary.open)],
                ["Open amount", figure(summary.open_amount)],
              ]}
            />
          ) : (
            <Empty first={placeOrder(customer)}>This customer has ordered nothing yet.</Empty>
          )
        }
      </Loading>
      {person.value?.writer && <Placing customer={customer} placed={changed} />}
      <Tabs
        key={turn}
        name="Orders"
        of={[
          ["all", "All orders", () => <Found key="all" {...found} query={{}} />],
          ["open", "Open", () => <Found key="open" {...found} query={{ status: "open", order: "desc" }} />],
          ["days", "By day", () => <ByDay {...found} />],
        ]}
      />
    </>
  );
};

interface Of {
  customer: string;
  /** What follows after an order has been shipped. */
  changed: () => void;
}

const ByDay = (of: Of) => {
  const days = daysAsked();
  return (
    <>
      <Days />
      <Found key={JSON.stringify(days)} {...of} query={{ ...days, order: "desc" }} />
    </>
  );
};

interface Question {
  status?: "open";
  order?: "desc";
  from?: string;
  to?: string;
}

const Found = ({ customer, changed, query }: Of & { query: Question }) => {
  const list = useListed("orders", (cursor) =>
    bodyOf(
      api.GET("/customers/{customer}/orders", {
        params: { path: { customer }, query: { ...query, limit: 50, ...cursor } },
      }),
    ),
  );
  return (
    <Listing list={list} entries={(page) => page.orders} empty="There are no such orders." more="More orders">
      {(orders) => <Orders of={orders} named={false} shipped={changed} />}
    </Listing>
  );
};

const Placing = ({ customer, placed }: { customer: string; placed: () => void }) => (
  <Sending
    title="Place an order"
    ask="Place"
    send={({ amount }, name) =>
      api.POST("/customers/{customer}/orders", {
        params: { path: { customer }, header: { "idempotency-key": name } },
        body: { amount: Number(amount) },
      })
    }
    sent={placed}
  >
    <Input label="Amount" name="amount" type="number" min={0} step="any" required />
  </Sending>
);
