import { Field, ObjectType, Query, Resolver } from "type-graphql";
import { newId } from "../model/ids.ts";
import { fieldsOfTopic, topicNames, topics, type Topic } from "../model/webhooks/topics.ts";
import { serializeEvent } from "./events/record-event.sql.ts";
import { sampleData } from "./events/test-events.ts";

@ObjectType({ description: "A topic that webhook endpoints can subscribe to.", simpleResolvers: true })
class WebhookTopic {
  @Field(() => String, { description: "The name, such as product.created." })
  name!: Topic;

  @Field(() => String, { description: "When events of the topic are sent." })
  description!: string;

  @Field(() => [String], {
    description: "The fields that its events can say they changed, such as price. Empty if they say none.",
  })
  fields!: readonly string[];

  @Field(() => String, { description: "The body of a sample event. Its IDs match no record." })
  sampleBody!: string;
}

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
      return { name: topic, description, fields: fieldsOfTopic(topic), sampleBody };
    });
  }
}
