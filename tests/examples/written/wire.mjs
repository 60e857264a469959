// Writes down the requests by which a library stores the same orders: as DynamoDB gets them, and nothing is sent.
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

const requests = [];

export const client = new DynamoDBClient({
  region: "us-east-1",
  credentials: { accessKeyId: "any", secretAccessKey: "any" },
  requestHandler: {
    handle: async ({ headers, body }) => {
      requests.push([headers["x-amz-target"].split(".")[1], JSON.parse(new TextDecoder().decode(body))]);
      return { response: { statusCode: 200, headers: {}, body: new TextEncoder().encode("{}") } };
    },
  },
});

// Libraries ask what time it is: each order is made seven hours after the one before.
const Real = Date;
let now = Real.parse("2026-11-28T20:30:00Z");
globalThis.Date = class Date extends Real {
  constructor(...given) {
    super(...(given.length ? given : [now]));
  }
  static now() {
    return now;
  }
};

export async function orders({ put, change, remove }) {
  for (let number = 0; number < 12; number++) {
    const of = { customer: number % 3 ? "Ann" : "Bob", number: `${number}` };
    const product = ["tea", "mug", "pot"][number % 3];
    const tags = new Set(["new", "gift", "sale"].filter((_, at) => (number + at) % 3));
    now += 7 * 3600 * 1000;
    await put({ ...of, product, net: 10.5 + number, tags, placed: new Date(), expires: Math.floor(now / 1000) + 86400 });
    if (number % 2) await change(of, { product: "jug", net: 100 + number });
    if (number % 5 === 4) await remove(of);
  }
  console.log(`[\n${requests.map((each) => JSON.stringify(each)).join(",\n")}\n]`);
}
