/** The page from which records are opened. */

import { Open } from "../../ui/open";
import { useTitle } from "../../ui/title";
import "./records.css";

/** What can be opened, where, and an id that the demo has stored. */
const KINDS = [
  {
    name: "Orders",
    about: "A customer's orders, by number or by date, and which of them are open.",
    open: [["Customer", "customers", "Customer-7"]],
  },
  {
    name: "Games",
    about: "Who plays what, leaderboards, exact ranks, and awards.",
    open: [
      ["Game", "games", "chess"],
      ["Player", "players", "rick"],
      ["Award", "awards", "Champ"],
    ],
  },
  {
    name: "Audits",
    about: "Equipment, the newest audit of each part, and what changed from one to the next.",
    open: [["Equipment", "equipment", "Equipment_1"]],
  },
  {
    name: "Documents",
    about: "Texts with every version, line by line what changed, and who may read and write them.",
    open: [["Document", "documents", "handbook"]],
  },
  {
    name: "Invoices",
    about: "Invoices with their bills and sums. A bill can stand in several; a new amount reaches all of them.",
    open: [
      ["Invoice", "invoices", "Invoice-92551"],
      ["Bill", "bills", "Bill-4224663"],
    ],
  },
] as const;

export const Records = () => {
  useTitle("Records");
  return (
    <>
      <h1>Records</h1>
      <section class="cards">
        {KINDS.map(({ name, about, open }) => (
          <section key={name}>
            <h2>{name}</h2>
            <p>{about}</p>
            {open.map(([what, under, example]) => (
              <Open key={under} what={what} under={`/records/${under}`} example={example} />
            ))}
            {name === "Orders" && <a href="/records/orders">Open orders of all customers</a>}
          </section>
        ))}
      </section>
    </>
  );
};
