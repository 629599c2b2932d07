-- since 0.2.0
-- Every refresh token is changed once, when it is spent. Where its page has room for that, no index needs to hear of it.
alter table refresh_tokens set (fillfactor = 50);
