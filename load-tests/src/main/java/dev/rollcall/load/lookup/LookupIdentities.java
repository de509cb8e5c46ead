package dev.rollcall.load.lookup;

import dev.rollcall.load.gateway.ClusterCertificates;
import dev.rollcall.wire.tls.TlsFiles;

/** Holds the certificates of node, gateway and client. */
record LookupIdentities(TlsFiles gateway, TlsFiles node, TlsFiles asker) {
  static final String NODE = "n0";
  static final String ADDRESS = "10.77.0.1";

  static LookupIdentities of(ClusterCertificates identities) {
    return new LookupIdentities(
        identities.gateway(), identities.node(NODE, ADDRESS), identities.administrator());
  }
}
