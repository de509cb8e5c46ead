/**
 * The words of Rollcall and its policy: records that check themselves, sealed answers, pure
 * functions. Nothing here does input or output.
 */
@NullMarked
package dev.rollcall.model;

import org.jspecify.annotations.NullMarked;
