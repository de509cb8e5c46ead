package dev.rollcall.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.util.HexFormat;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * A certificate request (PKCS#10, RFC 2986) whose signature proves that the requester has the key.
 *
 * @param fingerprint SHA-256 of the request, in hex: what is approved
 */
public record Request(PublicKey key, Names names, String fingerprint) {
  /** The text of a request file. */
  public static byte[] pem(KeyPair keys, Names names) {
    try {
      var extensions = new ExtensionsGenerator();
      extensions.addExtension(Extension.subjectAlternativeName, false, names.alternatives());
      byte[] request =
          new JcaPKCS10CertificationRequestBuilder(names.subject(), keys.getPublic())
              .addAttribute(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, extensions.generate())
              .build(new JcaContentSignerBuilder(Signing.ALGORITHM).build(keys.getPrivate()))
              .getEncoded();
      return Pem.text("CERTIFICATE REQUEST", request);
    } catch (OperatorCreationException | IOException e) {
      throw new IllegalStateException("cannot write a request for " + names, e);
    }
  }

  /**
   * Reads one, whatever made it.
   *
   * @throws AuthorityException naming the file, when it is no request, its signature is not its
   *     key's, or its names are not those of a role
   */
  public static Request read(Path file) throws IOException, AuthorityException {
    try (var parser = new PEMParser(Files.newBufferedReader(file, StandardCharsets.US_ASCII))) {
      if (parser.readObject() instanceof PKCS10CertificationRequest request) {
        return of(new JcaPKCS10CertificationRequest(request));
      }
    } catch (java.nio.file.FileSystemException e) {
      throw e;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      throw new AuthorityException(file + ": " + e.getMessage(), e);
    }
    throw new AuthorityException(file + " does not begin with a certificate request in PEM");
  }

  private static Request of(JcaPKCS10CertificationRequest request)
      throws GeneralSecurityException, IOException {
    PublicKey key = request.getPublicKey();
    try {
      if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
        throw new IllegalArgumentException("it is not signed by its own key");
      }
    } catch (OperatorCreationException | PKCSException e) {
      throw new IllegalArgumentException("its signature cannot be checked: " + e.getMessage(), e);
    }
    Extensions asked = request.getRequestedExtensions();
    GeneralNames names =
        asked == null ? null : GeneralNames.fromExtensions(asked, Extension.subjectAlternativeName);
    if (names == null) {
      throw new IllegalArgumentException("it has no alternative names, so no role");
    }
    return new Request(
        key, Names.of(request.getSubject(), names), fingerprint(request.getEncoded()));
  }

  private static String fingerprint(byte[] request) throws GeneralSecurityException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(request));
  }
}
