package dev.rollcall.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.spec.ECGenParameterSpec;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/**
 * Reads and writes private keys on the curve P-256 as PKCS#8 PEM files that only their owner can
 * read.
 */
public final class KeyFile {
  /** The same as of a gateway's token key. */
  private static final Set<PosixFilePermission> NOBODY_ELSES =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private KeyFile() {}

  public static KeyPair generate() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java has no P-256", e);
    }
  }

  public static byte[] pem(PrivateKey key) {
    return Pem.text("PRIVATE KEY", key.getEncoded());
  }

  static PrivateKey read(Path file) throws IOException, AuthorityException {
    if (!Collections.disjoint(Files.getPosixFilePermissions(file), NOBODY_ELSES)) {
      throw new AuthorityException(
          file + " can be read by others, or written by its group: chmod 0600 or 0640");
    }
    try (var parser = new PEMParser(Files.newBufferedReader(file, StandardCharsets.US_ASCII))) {
      if (parser.readObject() instanceof PrivateKeyInfo key) {
        return new JcaPEMKeyConverter().getPrivateKey(key);
      }
    } catch (java.nio.file.FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw new AuthorityException(file + " holds no key that can be read: " + e.getMessage(), e);
    }
    throw new AuthorityException(file + " does not begin with a PKCS#8 key in PEM");
  }
}
