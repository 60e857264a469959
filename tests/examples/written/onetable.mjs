// What OneTable writes: `npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb dynamodb-onetable@2.7.7 && node onetable.mjs > onetable.json`.
import { Table } from "dynamodb-onetable";
import { Dynamo } from "dynamodb-onetable/Dynamo";
import { client, orders } from "./wire.mjs";

const table = new Table({
  client: new Dynamo({ client }),
  name: "shop",
  partial: false,
  schema: {
    format: "onetable:1.1.0",
    version: "0.0.1",
    params: { isoDates: true, timestamps: true },
    indexes: {
      primary: { hash: "pk", sort: "sk" },
      ls1: { type: "local", sort: "ls1sk" },
    },
    models: {
      Order: {
        pk: { type: String, value: "customer#${customer}" },
        sk: { type: String, value: "order#${number}" },
        ls1sk: { type: String, value: "order#${product}" },
        customer: { type: String, required: true },
        number: { type: String, required: true },
        product: { type: String },
        net: { type: Number },
        tags: { type: Set },
        placed: { type: Date },
        expires: { type: Date, ttl: true },
      },
    },
  },
});
const Order = table.getModel("Order");

await orders({
  put: ({ expires, ...order }) => Order.create({ ...order, expires: new Date(expires * 1000) }, { exists: null }),
  change: ({ customer, number }, changed) => Order.update({ customer, number, ...changed }),
  remove: ({ customer, number }) => Order.remove({ customer, number }),
});
