package dev.rollcall.authority;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;

/**
 * An authority's own name: the cluster as its organisation, and a common name that no other
 * authority of the cluster has, so that an old one and its successor can be told apart.
 */
final class RootName {
  private static final int KEY_BYTES_SHOWN = 4;

  private RootName() {}

  static X500Name of(String cluster, PublicKey key) throws GeneralSecurityException {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
    return new X500NameBuilder(BCStyle.INSTANCE)
        .addRDN(BCStyle.O, cluster)
        .addRDN(BCStyle.CN, "Rollcall CA " + HexFormat.of().formatHex(hash, 0, KEY_BYTES_SHOWN))
        .build();
  }

  static String cluster(X509Certificate root, Path file) throws AuthorityException {
    X500Name name = X500Name.getInstance(root.getSubjectX500Principal().getEncoded());
    RDN[] organisations = name.getRDNs(BCStyle.O);
    if (organisations.length != 1) {
      throw new AuthorityException(
          file
              + ": '"
              + name
              + "' names no cluster as its organisation: 'rollcall ca init' did not"
              + " make it");
    }
    return IETFUtils.valueToString(organisations[0].getFirst().getValue());
  }
}
