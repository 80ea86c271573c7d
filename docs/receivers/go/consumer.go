// Fetches and handles the events of a pull endpoint, with nothing but Go (1.19 or newer):
//
//	BASE_URL=https://… TOKEN=svt_… SHOP_ID=shop_… ENDPOINT_ID=whe_… DATABASE=handled.txt go run consumer.go
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"strings"
	"time"
)

const receive = `mutation ($shopId: ID!, $endpointId: ID!) {
  receiveEvents(shopId: $shopId, endpointId: $endpointId, limit: 100, leaseSeconds: 60, waitSeconds: 20) { id event attempts }
}`
const acknowledge = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!) {
  acknowledgeEvents(shopId: $shopId, endpointId: $endpointId, ids: $ids) { changed }
}`
const extend = `mutation ($shopId: ID!, $endpointId: ID!, $ids: [ID!]!, $leaseSeconds: Int!) {
  extendLease(shopId: $shopId, endpointId: $endpointId, ids: $ids, leaseSeconds: $leaseSeconds) { changed }
}`

type answer struct {
	Data struct {
		ReceiveEvents []struct {
			ID, Event string
			Attempts  int
		}
	}
	Errors []struct{ Message string }
}

type fields map[string]any

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func ask(query string, variables fields) (result answer, err error) {
	variables["shopId"], variables["endpointId"] = os.Getenv("SHOP_ID"), os.Getenv("ENDPOINT_ID")
	body, _ := json.Marshal(fields{"query": query, "variables": variables})
	request, err := http.NewRequest(http.MethodPost, os.Getenv("BASE_URL")+"/graphql", bytes.NewReader(body))
	check(err)
	request.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + os.Getenv("TOKEN")}}
	response, err := (&http.Client{Timeout: 40 * time.Second}).Do(request)
	if err != nil {
		return result, err
	}
	defer response.Body.Close()
	err = json.NewDecoder(response.Body).Decode(&result)
	if err == nil && len(result.Errors) > 0 {
		err = errors.New(result.Errors[0].Message)
	}
	return result, err
}

// In production: a table with the id as its key. Write your changes and the id in one transaction.
var seen = map[string]bool{}
var file *os.File

// Handles an event once.
func handle(body string) error {
	var event struct{ ID, Topic string }
	if err := json.Unmarshal([]byte(body), &event); err != nil || seen[event.ID] {
		return err
	}
	fmt.Printf("Ignore %s (%s)\n", event.Topic, event.ID)
	seen[event.ID] = true
	_, err := file.WriteString("\n" + event.ID)
	return err
}

// Handles a batch. Returns the number of handled events.
func handleBatch() (count int, err error) {
	result, err := ask(receive, fields{})
	if err != nil {
		return 0, err
	}
	received, ids := result.Data.ReceiveEvents, []string{}
	for _, delivery := range received {
		err := handle(delivery.Event)
		if err == nil {
			ids = append(ids, delivery.ID)
			continue
		}
		log.Print(err)
		// The others do not wait for it. It comes again: after 5 seconds, and later each time.
		seconds := math.Min(5*math.Pow(2, float64(delivery.Attempts-1)), 300)
		if _, err := ask(extend, fields{"ids": []string{delivery.ID}, "leaseSeconds": seconds}); err != nil {
			return 0, err
		}
	}
	if len(ids) > 0 {
		check(file.Sync()) // On the disk before the acknowledgment: after a crash, the ids are known.
		_, err = ask(acknowledge, fields{"ids": ids})
		return len(ids), err
	}
	if len(received) > 0 {
		return 0, errors.New("no event could be handled")
	}
	return 0, nil
}

func main() {
	known, _ := os.ReadFile(os.Getenv("DATABASE"))
	for _, id := range strings.Fields(string(known)) {
		seen[id] = true
	}
	var err error
	file, err = os.OpenFile(os.Getenv("DATABASE"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	check(err)
	for pause := time.Second; ; {
		handled, err := handleBatch()
		switch {
		case err != nil:
			log.Print(err)
			time.Sleep(pause)
			if pause *= 2; pause > 30*time.Second {
				pause = 30 * time.Second
			}
		case handled > 0:
			pause = time.Second
		default:
			time.Sleep(time.Second) // The server is stopping, or too many wait.
		}
	}
}
