"""Sign-in for a Flask app: the authorization code flow with PKCE, by Authlib."""
import os

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for

app = Flask(__name__)
app.secret_key = os.environ["SESSION_KEY"]

oauth = OAuth(app)
oauth.register(
    "grantor",
    server_metadata_url=os.environ["ISSUER"] + "/.well-known/openid-configuration",
    client_id=os.environ["CLIENT_ID"],
    client_secret=os.environ["CLIENT_SECRET"],
    client_kwargs={"scope": "openid profile email", "code_challenge_method": "S256"},
)


@app.get("/sign-in")
def sign_in():
    return oauth.grantor.authorize_redirect(url_for("callback", _external=True))


@app.get("/callback")
def callback():
    token = oauth.grantor.authorize_access_token()
    session["sub"] = token["userinfo"]["sub"]
    return redirect("/")


@app.get("/")
def home():
    return f"Hello, {session['sub']}" if "sub" in session else redirect("/sign-in")
