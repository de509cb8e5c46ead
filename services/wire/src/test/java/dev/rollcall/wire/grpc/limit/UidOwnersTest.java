package dev.rollcall.wire.grpc.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UidOwnersTest {
  private static final int ALICE = 2001;
  private static final int BOB = 2002;

  @TempDir private Path directory;
  private Path subuid;
  private UidOwners owners;
  private long now;

  @BeforeEach
  void files() throws IOException {
    subuid = directory.resolve("subuid");
    Path passwd = directory.resolve("passwd");
    Files.writeString(
        passwd,
        """
        root:x:0:0:root:/root:/bin/sh
        alice:x:2001:2001::/home/alice:/bin/sh
        """);
    owners = new UidOwners(subuid, passwd, () -> now);
  }

  private void subuid(String text, int second) throws IOException {
    Files.writeString(subuid, text);
    Files.setLastModifiedTime(subuid, FileTime.fromMillis(1_000L * second));
    now += 2_000_000_000L;
  }

  @Test
  void subordinateUidsCountForTheirOwnerByNameOrUid() throws IOException {
    subuid("alice:100000:65536\n2002:165536:65536\nalice:300000:10\n", 1);
    assertEquals(ALICE, owners.of(100_000));
    assertEquals(ALICE, owners.of(165_535));
    assertEquals(BOB, owners.of(165_536));
    assertEquals(ALICE, owners.of(300_009));
    assertEquals(300_010, owners.of(300_010));
  }

  @Test
  void namesInAnotherEncodingDoNotHideTheOwners() throws IOException {
    Files.write(
        directory.resolve("passwd"),
        "j:x:2000:2000:J\u00fcrgen:/:/bin/sh\nalice:x:2001:2001::/:/bin/sh\n"
            .getBytes(StandardCharsets.ISO_8859_1));
    Files.write(
        subuid, "# f\u00fcr alice\nalice:100000:65536\n".getBytes(StandardCharsets.ISO_8859_1));
    assertEquals(ALICE, owners.of(100_000));
  }

  @Test
  void othersCountForThemselves() throws IOException {
    subuid("alice:100000:65536\n", 1);
    assertEquals(0, owners.of(0));
    assertEquals(ALICE, owners.of(ALICE));
    assertEquals(99_999, owners.of(99_999));
    assertEquals(1_200_000_000, owners.of(1_200_000_000), "a user of a directory service");
  }

  @Test
  void rangesOfANameThatIsNotInPasswdCountAsOneUser() throws IOException {
    subuid("carol:100000:100\ncarol:200000:100\n", 1);
    assertEquals(owners.of(100_000), owners.of(200_099));
  }

  @Test
  void theUpperHalfCountsAsOneUserWithoutARange() throws IOException {
    subuid("alice:4294900000:100000\n", 1);
    assertEquals(UidOwners.NOBODYS, owners.of((int) 2_147_483_648L));
    assertEquals(UidOwners.NOBODYS, owners.of((int) 3_000_000_000L));
    assertEquals(ALICE, owners.of((int) 4_294_900_001L));
  }

  @Test
  void theFileIsReadAgainWhenItHasChanged() throws IOException {
    assertEquals(100_000, owners.of(100_000), "no file");
    subuid("alice:100000:65536\n", 1);
    assertEquals(ALICE, owners.of(100_000));
    subuid("2002:100000:65536\n", 2);
    assertEquals(BOB, owners.of(100_000));
    Files.delete(subuid);
    now += 2_000_000_000L;
    assertEquals(100_000, owners.of(100_000));
  }

  @Test
  void linesThatMakeNoSenseGiveNobodyARange() throws IOException {
    subuid("\nalice\nalice:0:5\nalice:x:5\nalice:1000000:0\nalice:99999999999:1\n2002:500:1\n", 1);
    assertEquals(3, owners.of(3));
    assertEquals(1_000_000, owners.of(1_000_000));
    assertEquals(BOB, owners.of(500));
  }
}
