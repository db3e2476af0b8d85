package protocol

import (
	_ "embed"
	"fmt"

	"github.com/go-json-experiment/json"
)

//go:embed app-server-contract.json
var contractFile []byte

// ContractVersion numbers the contract between the core and its surfaces, the
// one DRIVE.md speaks (CON-1).
const ContractVersion = 19

// A ContractList is the app-server-contract.json: what of the protocol the code
// uses, no more and no less (CON-2).
type ContractList struct {
	Contract   int    `json:"contract"`
	Target     string `json:"target"`
	Regression string `json:"regression"`
	// What a client may ask, by kind.
	Queries             []string `json:"queries"`
	Calls               []string `json:"calls"`
	Mutations           []string `json:"mutations"`
	ClientNotifications []string `json:"clientNotifications"`
	// What a server may say or ask.
	Notifications  []string `json:"notifications"`
	ServerRequests []string `json:"serverRequests"`
}

// Contract reads the embedded list.
func Contract() (ContractList, error) {
	var c ContractList
	if err := json.Unmarshal(contractFile, &c, json.RejectUnknownMembers(true)); err != nil {
		return c, fmt.Errorf("read app-server-contract.json: %w", err)
	}
	return c, nil
}
