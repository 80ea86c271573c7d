// Fetches and handles the events of a pull endpoint, with nothing but Go (1.21 or newer):
//
//	BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… ENDPOINT_ID=whe_… DATABASE=handled.txt go run consumer.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"
)

const receive = `mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 100, leaseSeconds: 60, waitSeconds: 20) { id event }
}`
const acknowledge = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}`

type answer struct {
	Data   struct{ ReceiveEvents []struct{ ID, Event string } }
	Errors []struct{ Message string }
}

func check(err error) {
	if err != nil {
		log.Fatal(err) // Start it again by systemd or Docker. Events that are not acknowledged come again.
	}
}

func ask(query string, ids []string) (result answer) {
	variables := map[string]any{"shopId": os.Getenv("SHOP_ID"), "endpointId": os.Getenv("ENDPOINT_ID"), "ids": ids}
	body, _ := json.Marshal(map[string]any{"query": query, "variables": variables})
	request, err := http.NewRequest(http.MethodPost, os.Getenv("BASE_URL")+"/graphql", bytes.NewReader(body))
	check(err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + os.Getenv("TOKEN")}}
	response, err := (&http.Client{Timeout: 40 * time.Second}).Do(request)
	check(err)
	defer response.Body.Close()
	check(json.NewDecoder(response.Body).Decode(&result))
	if len(result.Errors) > 0 {
		log.Fatal(result.Errors[0].Message)
	}
	return result
}

func main() {
	// In production: a table with the id as its key. Write your changes and the id in one transaction.
	known, _ := os.ReadFile(os.Getenv("DATABASE"))
	file, err := os.OpenFile(os.Getenv("DATABASE"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(err)
	seen := map[string]bool{}
	for _, id := range strings.Fields(string(known)) {
		seen[id] = true
	}
	for {
		ids := []string{}
		for _, delivery := range ask(receive, nil).Data.ReceiveEvents {
			var event struct{ ID, Topic string }
			check(json.Unmarshal([]byte(delivery.Event), &event))
			ids = append(ids, delivery.ID)
			if !seen[event.ID] {
				fmt.Printf("Ignore %s (%s)\n", event.Topic, event.ID)
				_, err = file.WriteString("\n" + event.ID)
				check(err)
				seen[event.ID] = true
			}
		}
		if len(ids) == 0 {
			time.Sleep(time.Second) // The server is stopping, or too many wait.
			continue
		}
		check(file.Sync()) // On the disk before the acknowledgment: after a crash, the ids are known.
		ask(acknowledge, ids)
	}
}
