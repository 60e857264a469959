/** The page from which records are opened. */

import { under } from "../../links";
import { Open } from "../../ui/open";
import { useTitle } from "../../ui/title";
import "./records.css";

/** What can be opened, where, an id that the demo has stored, and what is listed. */
const KINDS = [
  {
    name: "Orders",
    about: "A customer's orders, by number or by date, and which of them are open.",
    open: [["Customer", "customers", "Customer-7"]],
    lists: [
      ["All customers", "customers"],
      ["Open orders of all", "orders"],
    ],
  },
  {
    name: "Games",
    about: "Who plays what, leaderboards, exact ranks, and awards.",
    open: [
      ["Game", "games", "chess"],
      ["Player", "players", "rick"],
      ["Award", "awards", "Champ"],
    ],
    lists: [
      ["All games", "games"],
      ["All players", "players"],
    ],
  },
  {
    name: "Audits",
    about: "Equipment, the newest audit of each part, and what changed from one to the next.",
    open: [["Equipment", "equipment", "Equipment_1"]],
    lists: [["All equipment", "equipment"]],
  },
  {
    name: "Documents",
    about: "Texts with every version, line by line what changed, and who may read and write them.",
    open: [["Document", "documents", "handbook"]],
    lists: [["All that you may read", "documents"]],
  },
  {
    name: "Invoices",
    about: "Invoices with their bills and sums. A bill can be in several; a new amount reaches all of them.",
    open: [
      ["Invoice", "invoices", "Invoice-92551"],
      ["Bill", "bills", "Bill-4224663"],
    ],
    lists: [["All invoices", "invoices"]],
  },
] as const;

export const Records = () => {
  useTitle("Records");
  return (
    <>
      <h1>Records</h1>
      <section class="cards">
        {KINDS.map(({ name, about, open, lists }) => (
          <section key={name}>
            <h2>{name}</h2>
            <p>{about}</p>
            {open.map(([what, records, example]) => (
              <Open key={records} what={what} at={under(`/records/${records}`)} example={example} />
            ))}
            <p class="links">
              {lists.map(([text, list]) => (
                <a key={list} href={`/records/${list}`}>
                  {text}
                </a>
              ))}
            </p>
          </section>
        ))}
      </section>
    </>
  );
};
