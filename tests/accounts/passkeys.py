"""A passkey as a browser would have made it."""

from __future__ import annotations

import hashlib
from typing import Any

from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from accounts.models import User


def credential(number: int = 1) -> dict[str, Any]:
    """What the browser sends when a passkey is made."""
    name = number.to_bytes(16, "big")
    public = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    data = AuthenticatorData.create(
        hashlib.sha256(b"testserver").digest(),
        AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT,
        0,
        AttestedCredentialData.create(Aaguid.NONE, name, public),
    )
    said = CollectedClientData.create(CollectedClientData.TYPE.CREATE, b"challenge", "https://testserver")
    return {
        "id": websafe_encode(name),
        "rawId": websafe_encode(name),
        "type": "public-key",
        "response": {
            "clientDataJSON": websafe_encode(said),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
            "transports": [],
        },
        "clientExtensionResults": {"credProps": {"rk": True}},
    }


def add_passkey(user: User, name: str = "shuttle") -> Authenticator:
    """Give the reader one."""
    number = Authenticator.objects.count() + 1
    return Authenticator.objects.create(
        user=user, type="webauthn", data={"name": name, "credential": credential(number)}
    )
