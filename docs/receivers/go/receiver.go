// A webhook receiver with nothing but Go (1.19 or newer):
//
//	WEBHOOK_SECRETS="whsec_…" PORT=3000 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance  = 5 * time.Minute
	maxBody    = 65_536
	maxHandled = 100_000
)

type event struct {
	ID        string         `json:"id"`
	Topic     string         `json:"topic"`
	ShopID    string         `json:"shopId"`
	CreatedAt time.Time      `json:"createdAt"`
	Data      map[string]any `json:"data"`
}

func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}

// Standard Webhooks: signed with its time, so that nobody can send it again later.
func hasStandardSignature(body []byte, headers http.Header, secrets []string) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || err != nil {
		return false
	}
	if age := time.Since(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			continue
		}
		expected := "v1," + base64.StdEncoding.EncodeToString(sign(key, []byte(id+"."+timestamp+"."), body))
		// One signature for each secret that is valid at the sender's.
		for _, signature := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(signature), []byte(expected)) { // In constant time.
				return true
			}
		}
	}
	return false
}

// X-Webhook-Signature: the body alone, keyed with the whole secret as it was shown.
func hasSha256Signature(body []byte, headers http.Header, secrets []string) bool {
	for _, secret := range secrets {
		expected := "sha256=" + hex.EncodeToString(sign([]byte(secret), body))
		if hmac.Equal([]byte(headers.Get("x-webhook-signature")), []byte(expected)) {
			return true
		}
	}
	return false
}

// In production: a table with the id as its key, and the body, to which this adds before it answers.
// A worker takes its rows from there. Keep ids for 30 days: a delivery can be replayed that long.
type memory struct {
	mutex sync.Mutex
	ids   map[string]bool
	order []string
}

// One event at a time: two deliveries of the same one may arrive together.
func (m *memory) handleOnce(e event) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.ids[e.ID] {
		return nil
	}
	if err := handle(e); err != nil {
		return err
	}
	m.ids[e.ID] = true
	m.order = append(m.order, e.ID)
	if len(m.order) > maxHandled {
		delete(m.ids, m.order[0])
		m.order = m.order[1:]
	}
	return nil
}

func handle(e event) error {
	number, hasNumber := e.Data["orderNumber"]
	switch {
	case strings.HasPrefix(e.Topic, "order.") && !hasNumber:
		return fmt.Errorf("%s has no order number", e.ID)
	case e.Topic == "order.paid":
		fmt.Printf("Ship order %v (%s)\n", number, e.ID)
	case e.Topic == "order.refunded":
		fmt.Printf("Book a refund of %v %v for order %v (%s)\n", e.Data["amount"], e.Data["currency"], number, e.ID)
	default:
		fmt.Printf("Ignore %s (%s)\n", e.Topic, e.ID)
	}
	return nil
}

func main() {
	// During a rotation: the new secret and the old one, with a space between.
	secrets := strings.Fields(os.Getenv("WEBHOOK_SECRETS"))
	if len(secrets) == 0 {
		log.Fatal("WEBHOOK_SECRETS is missing")
	}
	isGenuine := hasStandardSignature
	if os.Getenv("WEBHOOK_SCHEME") == "sha256" {
		isGenuine = hasSha256Signature
	}
	handled := &memory{ids: map[string]bool{}}
	receive := func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		// The bytes as they came: parsed and printed again, they would have another signature.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		if !isGenuine(body, r.Header, secrets) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		var e event
		err = json.Unmarshal(body, &e)
		// The records of a test event do not exist.
		if err == nil && r.Header.Get("X-Webhook-Test") == "" {
			err = handled.handleOnce(e)
		}
		if err != nil { // The event comes again.
			log.Print(err)
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Ready")
	server := &http.Server{Handler: http.HandlerFunc(receive), ReadTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
