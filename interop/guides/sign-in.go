// Sign-in for a Go app: the authorization code flow with PKCE, by x/oauth2 and go-oidc.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	origin := os.Getenv("ORIGIN")
	provider, err := oidc.NewProvider(context.Background(), os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  origin + "/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: config.ClientID})
	keep := func(w http.ResponseWriter, name, value string) {
		http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	}
	kept := func(r *http.Request, name string) string {
		cookie, err := r.Cookie(name)
		if err != nil {
			return ""
		}
		return cookie.Value
	}

	http.HandleFunc("/sign-in", func(w http.ResponseWriter, r *http.Request) {
		pkce, state, nonce := oauth2.GenerateVerifier(), rand.Text(), rand.Text()
		keep(w, "pkce", pkce)
		keep(w, "state", state)
		keep(w, "nonce", nonce)
		address := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce))
		http.Redirect(w, r, address, http.StatusFound)
	})

	http.HandleFunc("/callback", func(w http.ResponseWriter, r *http.Request) {
		state := kept(r, "state")
		if state == "" || r.FormValue("state") != state {
			http.Error(w, "nobody was signing in here", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(kept(r, "pkce")))
		if err != nil {
			http.Error(w, "the code was not taken", http.StatusBadRequest)
			return
		}
		raw, _ := token.Extra("id_token").(string)
		id, err := verifier.Verify(r.Context(), raw)
		if err != nil || id.Nonce != kept(r, "nonce") {
			http.Error(w, "the ID token is not for this sign-in", http.StatusBadRequest)
			return
		}
		fmt.Fprintf(w, "Hello, %s", id.Subject)
	})

	log.Fatal(http.ListenAndServe(os.Getenv("LISTEN"), nil))
}
