import { expect } from "chai";
import { topicNames, topics, type Topic } from "../../../src/core/model/webhooks/topics.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { askGraphql } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { openWorld } from "../../support/world.ts";

const TOPICS = "{ webhookTopics { name description sampleBody } }";

interface AnsweredTopic {
  name: Topic;
  description: string;
  sampleBody: string;
}

describe("Webhook topics", () => {
  const server = useServer();

  const ask = async (): Promise<AnsweredTopic[]> => (await askGraphql(server, TOPICS)).data.webhookTopics;

  it("are all listed in order, with sample data", async () => {
    const answered = await ask();
    expect(answered.map(({ name }) => name)).to.deep.equal(topicNames);
    for (const { name, description, sampleBody } of answered) {
      expect(description).to.equal(topics[name].description);
      const { data, ...event } = JSON.parse(sampleBody);
      expect(event).to.include({ topic: name });
      expect(topics[name].data.parse(data)).to.deep.equal(data);
    }
  });

  it("have samples in the format of real deliveries", async () => {
    const { shop, ask: send } = await openWorld(server);
    const { endpoint } = await buildEndpoint(server, shop, "https://receiver.example/hooks", [...topicNames]);
    for (const { name, sampleBody } of await ask()) {
      const document = `mutation ($shopId: ID!, $id: ID!, $topic: String!) {
        sendTestEvent(shopId: $shopId, id: $id, topic: $topic) { body } }`;
      const { data } = await send(document, { id: endpoint.id, topic: name });
      expect(shapeOf(sampleBody)).to.equal(shapeOf(data.sendTestEvent.body));
    }
  });
});

/** The text without what differs between any two events. */
function shapeOf(body: string): string {
  return body.replaceAll(/\b([a-z]+_)[0-9a-z]{26}\b/g, "$1").replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "then");
}
