package dev.rollcall.gateway.identity;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the keys with which gateways sign tokens from a file that all gateways share: one in base64
 * on each line. The first signs; all are good for looking at what was signed.
 */
public final class TokenKeys {
  private static final int LEAST_BYTES = 32;
  private static final int LARGEST = 65_536;
  private static final Set<PosixFilePermission> NOBODY_ELSES =
      EnumSet.of(
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private final List<byte[]> keys;

  private TokenKeys(List<byte[]> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * @throws IllegalArgumentException naming the file, and the line and what is wrong with it, and
   *     never a key
   */
  public static TokenKeys read(Path file) {
    try {
      if (!Collections.disjoint(Files.getPosixFilePermissions(file), NOBODY_ELSES)) {
        throw new IllegalArgumentException(
            file + " can be read by others, or written by its group: chmod 0600 or 0640");
      }
      if (Files.size(file) > LARGEST) {
        throw new IllegalArgumentException(file + " is larger than " + LARGEST + " bytes");
      }
      return of(file, Files.readAllLines(file, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new IllegalArgumentException("cannot read " + file + ": " + e, e);
    }
  }

  private static TokenKeys of(Path file, List<String> lines) {
    var keys = new ArrayList<byte[]>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        keys.add(key(file + " line " + (i + 1), line));
      }
    }
    if (keys.isEmpty()) {
      throw new IllegalArgumentException(file + " has no key: openssl rand -base64 32 makes one");
    }
    return new TokenKeys(keys);
  }

  private static byte[] key(String where, String text) {
    byte[] key;
    try {
      key = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(where + " is not base64", e);
    }
    if (key.length < LEAST_BYTES) {
      throw new IllegalArgumentException(
          where + " has " + key.length + " bytes, and needs " + LEAST_BYTES);
    }
    return key;
  }

  byte[] first() {
    return keys.getFirst();
  }

  List<byte[]> all() {
    return keys;
  }
}
