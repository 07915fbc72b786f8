import CCrypto

/// XAES-256-GCM with one key (C2SP).
///
/// AES-256-GCM encrypts each message with its own key, which is derived from the first half of a random nonce of 192
/// bits. AES-256-GCM alone, with random nonces of 96 bits, is safe for only 2^32 messages, too few for a database with
/// many sessions. With XAES, one key is safe for 2^80 messages, so that servers need not coordinate their nonces. Only
/// one thread at a time may use an object, because all messages use the same contexts.
@safe
final class XAES256GCM {
    static let keySize = 32
    static let nonceSize = 24
    static let tagSize = 16
    /// The number of the nonce's bytes that AES-256-GCM uses; the other bytes determine the message's key.
    private static let innerNonceSize = 12

    /// AES-256 with the long-term key, for single blocks.
    private let derivation: CipherContext
    private let sealing: CipherContext
    private let opening: CipherContext
    /// The CMAC subkey for whole blocks (NIST SP 800-38B).
    private var mask: [UInt8]
    /// The two blocks from which a message's key is derived.
    private var blocks = [UInt8](repeating: 0, count: 32)
    private var messageKey = [UInt8](repeating: 0, count: 32)

    /// Creates the contexts for a key; nil if the key has another size, or libcrypto fails.
    init?(key: [UInt8]) {
        guard key.count == Self.keySize, let derivation = CipherContext(), let sealing = CipherContext(),
            let opening = CipherContext()
        else { return nil }
        (self.derivation, self.sealing, self.opening) = (derivation, sealing, opening)
        mask = [UInt8](repeating: 0, count: 16)
        guard unsafe EVP_EncryptInit_ex(derivation.handle, EVP_aes_256_ecb(), nil, key, nil) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(derivation.handle, 0) == 1,
            unsafe EVP_EncryptInit_ex(sealing.handle, EVP_aes_256_gcm(), nil, nil, nil) == 1,
            unsafe EVP_DecryptInit_ex(opening.handle, EVP_aes_256_gcm(), nil, nil, nil) == 1,
            encrypt([UInt8](repeating: 0, count: 16), into: &mask)
        else { return nil }
        double()
    }

    /// Doubles the mask in the finite field that CMAC uses.
    private func double() {
        let carry = mask[0] >> 7
        for index in 0..<15 { mask[index] = mask[index] << 1 | mask[index + 1] >> 7 }
        mask[15] = mask[15] << 1 ^ carry &* 0x87
    }

    private func encrypt(_ blocks: [UInt8], into result: inout [UInt8]) -> Bool {
        var count: Int32 = 0
        return unsafe EVP_EncryptUpdate(derivation.handle, &result, &count, blocks, Int32(blocks.count)) == 1
    }

    /// Derives a message's key in counter mode with CMAC (NIST SP 800-108r1), one block for each half.
    private func deriveKey(_ bytes: [UInt8], nonceAt place: Int) -> Bool {
        for half in 0..<2 {
            let start = 16 * half
            for index in 0..<16 { blocks[start + index] = mask[index] }
            blocks[start + 1] ^= UInt8(half + 1)
            blocks[start + 2] ^= UInt8(ascii: "X")
            for index in 0..<12 { blocks[start + 4 + index] ^= bytes[place + index] }
        }
        return encrypt(blocks, into: &messageKey)
    }

    // MARK: Messages

    /// Encrypts a content, and appends the ciphertext and the tag to `sealed`; returns `false` if libcrypto fails.
    ///
    /// - Parameters:
    ///   - content: The content.
    ///   - associated: Bytes that are not encrypted, but must be the same when the content is decrypted.
    ///   - sealed: Bytes that end with a nonce that was never used before.
    func seal(_ content: [UInt8], authenticating associated: [UInt8], into sealed: inout [UInt8]) -> Bool {
        let start = sealed.count
        guard start >= Self.nonceSize, deriveKey(sealed, nonceAt: start - Self.nonceSize) else { return false }
        sealed.append(contentsOf: repeatElement(0, count: content.count + Self.tagSize))
        let context = unsafe sealing.handle
        return unsafe sealed.withUnsafeMutableBufferPointer { sealed in
            guard let text = unsafe sealed.baseAddress?.advanced(by: start) else { return false }
            let nonce = unsafe text.advanced(by: -Self.innerNonceSize)
            let tag = unsafe text.advanced(by: content.count)
            var count: Int32 = 0
            return unsafe EVP_EncryptInit_ex(context, nil, nil, messageKey, nonce) == 1
                && EVP_EncryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
                && EVP_EncryptUpdate(context, text, &count, content, Int32(content.count)) == 1
                && EVP_EncryptFinal_ex(context, tag, &count) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagSize), tag) == 1
        }
    }

    /// Decrypts a content; nil if any byte of the nonce, the ciphertext, the tag or `associated` was changed.
    ///
    /// - Parameters:
    ///   - sealed: The nonce, the ciphertext and the tag, possibly after other bytes.
    ///   - start: The position of the nonce.
    ///   - associated: The bytes that were authenticated with the content.
    func open(_ sealed: [UInt8], from start: Int, authenticating associated: [UInt8]) -> [UInt8]? {
        let size = sealed.count - start - Self.nonceSize - Self.tagSize
        guard start >= 0, size >= 0, deriveKey(sealed, nonceAt: start) else { return nil }
        let context = unsafe opening.handle
        // The array has one byte more than the content, because libcrypto needs a pointer even for an empty content.
        var content = [UInt8](repeating: 0, count: size + 1)
        let isIntact = unsafe sealed.withUnsafeBufferPointer { sealed in
            guard let text = unsafe sealed.baseAddress?.advanced(by: start + Self.nonceSize) else { return false }
            let nonce = unsafe text.advanced(by: -Self.innerNonceSize)
            // The cast is safe, because libcrypto only reads the tag.
            let tag = unsafe UnsafeMutableRawPointer(mutating: text.advanced(by: size))
            var count: Int32 = 0
            return unsafe EVP_DecryptInit_ex(context, nil, nil, messageKey, nonce) == 1
                && EVP_DecryptUpdate(context, nil, &count, associated, Int32(associated.count)) == 1
                && EVP_DecryptUpdate(context, &content, &count, text, Int32(size)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagSize), tag) == 1
                && EVP_DecryptFinal_ex(context, nil, &count) == 1
        }
        guard isIntact else { return nil }
        content.removeLast()
        return content
    }

    // MARK: Randomness and digests

    /// Appends a random nonce; returns `false` if libcrypto fails.
    static func appendNonce(to bytes: inout [UInt8]) -> Bool {
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: nonceSize))
        return unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            unsafe RAND_bytes(bytes.baseAddress?.advanced(by: start), Int32(nonceSize)) == 1
        }
    }

    /// Returns the name of a key: the first eight bytes of the key's SHA-256, which reveal nothing about the key.
    ///
    /// - Returns: nil if libcrypto fails.
    static func identifier(of key: [UInt8]) -> UInt64? {
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe EVP_Digest(key, key.count, &digest, nil, EVP_sha256(), nil) == 1 else { return nil }
        return digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

@safe
private final class CipherContext {
    let handle: OpaquePointer

    init?() {
        guard let handle = unsafe EVP_CIPHER_CTX_new() else { return nil }
        unsafe self.handle = handle
    }

    deinit { unsafe EVP_CIPHER_CTX_free(handle) }
}
