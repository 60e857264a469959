/** A customer: sums, and all orders by number, or the open ones, or those of some days, the newest first. */

import { bodyOf } from "../../api/client";
import { api } from "../../console";
import { Figures, figure } from "../../ui/figures";
import { Heading } from "../../ui/heading";
import { useListed } from "../../ui/listed";
import { Listing } from "../../ui/listing";
import { useLoaded } from "../../ui/loaded";
import { Loading } from "../../ui/loading";
import { Empty } from "../../ui/states";
import { Tabs } from "../../ui/tabs";
import { Days, daysAsked, Orders } from "./orders";

export const Customer = ({ customer }: { customer: string }) => {
  const params = { path: { customer }, query: { limit: 1 } };
  const first = useLoaded("customer", () => bodyOf(api.GET("/customers/{customer}/orders", { params })));
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
            <Empty>This customer has ordered nothing yet.</Empty>
          )
        }
      </Loading>
      <Tabs
        name="Orders"
        of={[
          ["all", "All orders", () => <Found key="all" customer={customer} query={{}} />],
          ["open", "Open", () => <Found key="open" customer={customer} query={{ status: "open", order: "desc" }} />],
          ["days", "By day", () => <ByDay customer={customer} />],
        ]}
      />
    </>
  );
};

const ByDay = ({ customer }: { customer: string }) => {
  const days = daysAsked();
  return (
    <>
      <Days />
      <Found key={JSON.stringify(days)} customer={customer} query={{ ...days, order: "desc" }} />
    </>
  );
};

interface Question {
  status?: "open";
  order?: "desc";
  from?: string;
  to?: string;
}

const Found = ({ customer, query }: { customer: string; query: Question }) => {
  const list = useListed("orders", (cursor) =>
    bodyOf(
      api.GET("/customers/{customer}/orders", {
        params: { path: { customer }, query: { ...query, limit: 50, ...cursor } },
      }),
    ),
  );
  return (
    <Listing list={list} entries={(page) => page.orders} empty="There are no such orders." more="More orders">
      {(orders) => <Orders of={orders} named={false} />}
    </Listing>
  );
};
