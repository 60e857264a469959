// What dynamodb-toolbox writes: `npm install @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb dynamodb-toolbox@2.10.6 && node toolbox.mjs > toolbox.json`.
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { DeleteItemCommand, Entity, PutItemCommand, Table, UpdateItemCommand, item, map, number, set, string } from "dynamodb-toolbox";
import { client, orders } from "./wire.mjs";

const table = new Table({
  documentClient: DynamoDBDocumentClient.from(client),
  name: "shop",
  partitionKey: { name: "pk", type: "string" },
  sortKey: { name: "sk", type: "string" },
});
const Order = new Entity({
  name: "Order",
  table,
  schema: item({
    customer: string().key(),
    number: string().key(),
    product: string().savedAs("p"),
    price: map({ net: number() }),
    tags: set(string()),
    expires: number(),
  }),
  computeKey: ({ customer, number }) => ({ pk: `CUSTOMER#${customer}`, sk: `ORDER#${number}` }),
});

await orders({
  put: ({ net, placed, ...order }) => Order.build(PutItemCommand).item({ ...order, price: { net } }).send(),
  change: (key, { product, net }) => Order.build(UpdateItemCommand).item({ ...key, product, price: { net } }).send(),
  remove: (key) => Order.build(DeleteItemCommand).key(key).send(),
});
