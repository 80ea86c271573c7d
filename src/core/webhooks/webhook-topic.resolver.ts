import { ObjectType, Query, Resolver } from "type-graphql";
import { field, objectOf } from "../model/fields.ts";
import { newId } from "../model/ids.ts";
import { fieldsOfTopic, topicNames, topics } from "../model/webhooks/topics.ts";
import { serializeEvent } from "./events/record-event.sql.ts";
import { sampleData } from "./events/test-events.ts";

@ObjectType({ description: "A topic that webhook endpoints can subscribe to.", simpleResolvers: true })
class WebhookTopic extends objectOf({
  name: field(String, "The name, such as product.created."),
  description: field(String, "When events of the topic are sent."),
  fields: field([String], "The fields that its events can say they changed, such as price. Empty if they say none."),
  sampleBody: field(String, "The body of a sample event. Its IDs match no record."),
}) {}

@Resolver()
export class WebhookTopicResolver {
  @Query(() => [WebhookTopic], {
    description: "All topics that webhook endpoints can subscribe to. No login is needed.",
  })
  webhookTopics(): WebhookTopic[] {
    return topicNames.map((topic) => {
      const data = sampleData(topic, { currency: "EUR" });
      const sample = { shopId: newId("shop"), topic, data, createdAt: new Date() };
      const { description } = topics[topic];
      const sampleBody = serializeEvent(newId("evt"), sample);
      return { name: topic, description, fields: [...fieldsOfTopic(topic)], sampleBody };
    });
  }
}
