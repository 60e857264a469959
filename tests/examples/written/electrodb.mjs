// What ElectroDB writes: `npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb electrodb@3.9.3 && node electrodb.mjs > electrodb.json`.
import { Entity } from "electrodb";
import { client, orders } from "./wire.mjs";

const Order = new Entity(
  {
    model: { entity: "order", version: "1", service: "shop" },
    attributes: {
      customer: { type: "string", required: true },
      number: { type: "string", required: true },
      product: { type: "string" },
      net: { type: "string" },
      tags: { type: "set", items: "string" },
      placed: { type: "number" },
      expires: { type: "number" },
    },
    indexes: {
      order: { pk: { field: "pk", composite: ["customer"] }, sk: { field: "sk", composite: ["number"] } },
      byProduct: {
        index: "lsi1pk-lsi1sk-index",
        pk: { field: "pk", composite: ["customer"] },
        sk: { field: "lsi1sk", composite: ["product"] },
      },
    },
  },
  { client, table: "shop" },
);

await orders({
  put: ({ net, tags, placed, ...order }) =>
    Order.put({ ...order, net: net.toFixed(2), tags: [...tags], placed: placed.getTime() }).go(),
  change: (key, { net, product }) => Order.patch(key).set({ product, net: net.toFixed(2) }).go(),
  remove: (key) => Order.delete(key).go(),
});
