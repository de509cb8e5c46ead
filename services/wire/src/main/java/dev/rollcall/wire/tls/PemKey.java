package dev.rollcall.wire.tls;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A private key in PKCS#8 PEM (RFC 5958, RFC 7468). */
final class PemKey {
  private static final Pattern FORM =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]*)-----END PRIVATE KEY-----");

  private PemKey() {}

  /**
   * @param certified the key of the certificate, which says of what kind this one must be
   */
  static PrivateKey read(String pem, PublicKey certified) throws GeneralSecurityException {
    Matcher form = FORM.matcher(pem);
    if (!form.find()) {
      throw new GeneralSecurityException(
          "it is no PKCS#8 key in PEM ('BEGIN PRIVATE KEY'); openssl pkcs8 -topk8 -nocrypt writes"
              + " one");
    }
    PrivateKey key;
    try {
      key =
          KeyFactory.getInstance(certified.getAlgorithm())
              .generatePrivate(
                  new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(form.group(1))));
    } catch (IllegalArgumentException e) {
      throw new GeneralSecurityException("its base64 is invalid", e);
    }
    if (!fits(key, certified)) {
      throw new GeneralSecurityException("it does not match the certificate");
    }
    return key;
  }

  private static boolean fits(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            switch (key.getAlgorithm()) {
              case "EC" -> "SHA256withECDSA";
              case "RSA" -> "SHA256withRSA";
              default -> key.getAlgorithm();
            });
    byte[] words = "whose key is it?".getBytes(StandardCharsets.US_ASCII);
    signature.initSign(key);
    signature.update(words);
    byte[] signed = signature.sign();
    signature.initVerify(certified);
    signature.update(words);
    return signature.verify(signed);
  }
}
