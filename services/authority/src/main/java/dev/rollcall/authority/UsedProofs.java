package dev.rollcall.authority;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Remembers used proofs: an empty file for each, named by its hash, which is never removed. */
record UsedProofs(Path directory) {
  void add(String proof) throws IOException, AuthorityException {
    Files.createDirectories(directory);
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(proof.getBytes(StandardCharsets.UTF_8));
      Path file = directory.resolve(HexFormat.of().formatHex(hash));
      WholeFile.create(file, new byte[0], WholeFile.SECRET);
    } catch (FileAlreadyExistsException e) {
      throw new AuthorityException("this approval was used before", e);
    } catch (GeneralSecurityException e) {
      throw new AuthorityException("no SHA-256: " + e, e);
    }
  }
}
